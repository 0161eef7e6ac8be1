// The rule that oxlint does not have: syntax that .oxlintrc.json forbids, each selector with what to do instead.

const noRestrictedSyntax = {
  meta: {
    schema: [
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['selector', 'message'],
          properties: { selector: { type: 'string' }, message: { type: 'string' } },
        },
      },
    ],
  },
  create: (context) =>
    Object.fromEntries(
      context.options[0].map(({ selector, message }) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
};

export default { meta: { name: 'patchbay' }, rules: { 'no-restricted-syntax': noRestrictedSyntax } };
