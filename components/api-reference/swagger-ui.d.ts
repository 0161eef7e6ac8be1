declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Renders the reference into an element (swagger.io/docs/open-source-tools/swagger-ui/usage/configuration). */
  const SwaggerUI: (options: {
    domNode: HTMLElement;
    spec: object;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    deepLinking: boolean;
    validatorUrl: null;
    persistAuthorization: boolean;
  }) => unknown;
  export default SwaggerUI;
}
