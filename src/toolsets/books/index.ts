import { defineToolset } from '../../toolset/toolset.ts';
import { createSettingsWarnings, createStartupNotes, flags, listExternalVariables, parseSettings } from './settings.ts';

export const books = defineToolset({
  name: 'books',
  summary: 'A library of course books, in plain folders or a bucket',
  instructions:
    'Course books: list_books finds them, read_content, glob_search and grep_search read them. To change a lesson, read it, then write_content with its file_hash_sha256 as expected_hash; after a ConflictError read again and merge. A new lesson is written without a hash.',
  isDefault: false,
  flags,
  settings: parseSettings,
  variables: listExternalVariables,
  notes: createStartupNotes,
  warnings: createSettingsWarnings,
  argumentReport: message => ({ error: 'ValidationError', code: 'VALIDATION', message }),
  // Results are not truncated here, because truncated JSON would be invalid. The tools have their own limits.
  maxTextBytes: 0,
  load: async () => await import('packed:src/toolsets/books/tools/index.ts'),
});
