// Which part may import which is no matter of ESLint: see .dependency-cruiser.mjs.
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '.next',
      '.help',
      '.programs',
      '.data',
      'next-env.d.ts',
      'bench/results',
      'docs/screens',
      'docs/.vitepress/.temp',
      'docs/.vitepress/cache',
      'lib/api/client/schema.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', '.ci/imports/*.mjs', 'server/*.mjs'] },
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message:
            'Settings come from lib/core/env.ts: add the setting there and describe it in docs/site/setting-texts.ts.',
        },
        {
          selector: ":function NewExpression[callee.object.name='Intl']",
          message:
            'Make it once for the module: formatters take memory that the garbage collector does not count.',
        },
        {
          selector: "CallExpression[callee.property.name='localeCompare'][arguments.length>2]",
          message:
            'Use an Intl.Collator that is made once for the module: this makes one for each comparison.',
        },
      ],
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message:
            'User-given URLs go through lib/core/http/guarded-request.ts; the platform through lib/messaging/platform.',
        },
      ],
    },
  },
  { files: ['components/**/*.{ts,tsx}', 'app/**/*.tsx'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: [
      'lib/core/env.ts',
      'server/**',
      'sandbox/**',
      '.ci/**',
      'bench/**',
      'e2e/**',
      '**/*.config.*',
      '**/*.test.ts',
      'lib/testing/**',
    ],
    rules: { 'no-restricted-syntax': 'off', 'no-restricted-globals': 'off', 'no-console': 'off' },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
