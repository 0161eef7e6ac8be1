// The sandbox's templates of every kind that the platform has, for tests that may import lib only.
export { listLiveTemplates } from '../../../sandbox/data/live-templates.ts';
