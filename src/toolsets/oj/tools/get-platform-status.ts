import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { formatPlatformStatus } from '../text.ts';

export const getPlatformStatus = defineTool({
  name: 'get_platform_status',
  title: 'Get platform status',
  description:
    'Returns the platforms of the backend with the number of problems, of problems without a statement and of ' +
    'problems that find_similar_problems does not include yet. A backend requires a token for this tool.',
  input: v.strictObject({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler(_, { api, isTokenMissing }: JudgeContext, { signal }) {
    if (isTokenMissing) {
      throw new Failure('refused', 'Authentication is required: oj-mcp was started without a token.', {
        hint: "The user can add --token-file, or set OJ_MCP_TOKEN, in the host's configuration.",
      });
    }
    return formatPlatformStatus(await api.status(signal));
  },
});
