// Import directions (docs/architecture.md): each rule's message says what to do instead.
import tseslint from 'typescript-eslint';

const pattern = (regex, message) => ({ regex, message });

const neverApp = pattern(
  '^(#app|.*/app/)',
  'lib and components never import app: move the shared part into lib.',
);
const neverComponents = pattern(
  '^(#components|.*/components/)',
  'lib never imports components: pass data out instead.',
);
const neverNext = pattern(
  '^(next|react|react-dom)($|/)',
  'lib knows no Next and no React (only lib/identity/auth may): do this in app or components.',
);
const neverDrizzle = pattern(
  '^(drizzle-orm|pg)($|/)',
  'SQL lives in lib/core/db, in the domain verbs and in lib/engine/store: add a verb there and call it.',
);
const neverXyflow = pattern(
  '^@xyflow/',
  'Only components/canvas draws with @xyflow/react: export a component from there.',
);

const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '.next',
      '.programs',
      '.data',
      'next-env.d.ts',
      'bench/results',
      'docs/screens',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.mjs', 'server/*.mjs'] } },
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
          message: 'Settings come from lib/core/env.ts: add the setting there and document it in the README.',
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
  {
    files: ['app/**/*.{ts,tsx}'],
    rules: restrict(
      neverDrizzle,
      neverXyflow,
      pattern('sandbox/', 'The sandbox is a program of its own: speak HTTP to it.'),
    ),
  },
  {
    files: ['components/**/*.{ts,tsx}'],
    rules: restrict(neverApp, neverDrizzle, neverXyflow),
  },
  {
    files: ['components/canvas/**/*.{ts,tsx}'],
    rules: restrict(neverApp, neverDrizzle),
  },
  { files: ['components/**/*.{ts,tsx}', 'app/**/*.tsx'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['lib/**/*.ts'],
    ignores: ['lib/identity/auth/**'],
    rules: restrict(neverApp, neverComponents, neverNext),
  },
  {
    files: ['lib/engine/**/*.ts'],
    ignores: ['**/*.test.ts', 'lib/engine/{store,schema,queue}/**'],
    rules: restrict(neverApp, neverComponents, neverNext, neverDrizzle),
  },
  {
    files: ['lib/variables/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: restrict(neverApp, neverComponents, neverNext, neverDrizzle),
  },
  {
    files: ['lib/tasks/*/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: restrict(
      neverApp,
      neverComponents,
      neverNext,
      neverDrizzle,
      pattern(
        '^(\\.\\./(?!\\.\\./)|#lib/tasks/[a-z-]+/)',
        'A task never imports another task: move the shared part into lib/tasks/*.ts or lib.',
      ),
    ),
  },
  {
    files: ['sandbox/**/*.ts'],
    rules: {
      ...restrict(
        pattern(
          '(^#|/lib/|/app/|/components/|/server/)',
          'The sandbox stands alone: it imports nothing of Patchbay.',
        ),
      ),
      'no-restricted-globals': 'off',
      'no-restricted-syntax': 'off',
      'no-console': 'off',
    },
  },
  {
    files: [
      'lib/core/env.ts',
      'server/**',
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
