// Rules for the page's TypeScript and Svelte files. Prettier owns the layout, so no rule here concerns it.

import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules', 'src/generated', 'public'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, __DESIGN__: 'readonly' },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] },
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // `() => (x = 1)` and `() => act()` are the usual short handlers.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `void value` in an effect makes the effect depend on the value.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // The names of keys are single letters of the Latin alphabet.
      '@typescript-eslint/no-misused-spread': 'off',
      // `call<T>` and `fixture<T>` name the type of what they read.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-invalid-void-type': ['error', { allowInGenericTypeArguments: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An index may be missing even where a type says otherwise: Views come from the server.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // The plugin resolves neither generic components nor the types of Svelte files in TypeScript files.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  // node:test runs its tests without being awaited.
  { files: ['tests/**'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  { files: ['*.js'], ...ts.configs.disableTypeChecked },
  { files: ['tests/**', '*.js', '*.ts'], languageOptions: { globals: globals.node } },
);
