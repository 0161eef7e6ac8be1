import packageFile from '../../package.json' with { type: 'json' };

/** Patchbay's version (CHANGELOG.md): shown in the app, by `/healthz` and by `patchbay --version`. */
export const VERSION: string = packageFile.version;
