import { Failure } from '../../src/errors/failure.ts';
import { type FlagValues, openToolset } from '../../src/toolset/toolset.ts';
import { known } from '../support/toolsets.ts';

export type Outcome =
  | { isError: false; text: string; structured: Readonly<Record<string, unknown>> }
  | { isError: true; failure: Failure };

export interface Tools {
  /** Calls a tool. An error that is not a `Failure` is a bug and is thrown. */
  call(name: string, args: object): Promise<Outcome>;
  close(): Promise<void>;
}

/** Opens a toolset in this process, without a transport. */
export async function openTools(toolsetName: string, values: FlagValues): Promise<Tools> {
  const toolset = known.get(toolsetName);
  if (toolset === undefined) throw new Error(`there is no toolset ${toolsetName}`);
  const opened = await openToolset(toolset, values, { isDemo: false });
  return {
    async call(name, args) {
      const tool = opened.tools.find(candidate => candidate.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const report = (bug: unknown): never => {
        throw new Error(`${name} reports a bug`, { cause: bug });
      };
      const { signal } = new AbortController();
      try {
        const result = await opened.call(tool, args, { signal, agent: 'fuzzer', progress: () => {}, report });
        if (typeof result === 'string') return { isError: false, text: result, structured: {} };
        const structured = 'structured' in result ? result.structured : {};
        return { isError: false, text: result.text, structured };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { isError: true, failure: error };
      }
    },
    close: async () => await opened.close(),
  };
}
