import type * as v from 'valibot';
import { readArguments } from './argument.ts';
import { parse, type Report } from './parse.ts';

/** A flag of the command line. Its environment variable has the same name with the prefix `OJ_MCP_`. */
export interface Flag {
  type: 'string' | 'boolean';
  description: string;
  valueHint?: string;
  /** A flag for the same setting. On the command line either of them overrides the variables of both. */
  insteadOf?: string;
  /** The flag can be repeated; its variable contains a list like PATH. */
  isList?: true;
  /** Part of a one-off task such as an import: it has no variable, and no host starts a server with it. */
  isTask?: true;
  /** The server warns if the value is on the command line, where other users of the machine can see it. */
  isSecret?: true;
}

export type Flags = Record<string, Flag>;

/** The values of flags, without blanks and placeholders. */
export type FlagValues<Declared extends Flags = Flags> = {
  readonly [Name in keyof Declared]?: FlagValue<Declared[Name]> | undefined;
};

type FlagValue<One> = One extends { isList: true }
  ? readonly string[]
  : One extends { type: 'boolean' }
    ? true
    : Flag extends One
      ? string | true | readonly string[]
      : string;

/** Settings of the whole program. */
export interface Mode {
  isDemo: boolean;
}

/** The state of one call, which a handler receives besides its arguments and the context of its toolset. */
export interface CallContext {
  /** Aborted when the client cancels the call or disconnects; passed to every request. */
  signal: AbortSignal;
  /** The name of the client. */
  agent: string | undefined;
  /** Reports progress to a client that has requested it; `done` only increases. */
  progress: (done: number, total?: number, message?: string) => void;
  /** Logs a bug that does not prevent a result. */
  report: (bug: unknown) => void;
}

/** The result of a handler. A tool with an `output` schema always returns structured content. */
export type ToolResult<Output extends OutputSchema | undefined> = Output extends OutputSchema
  ? StructuredResult<Unchanging<v.InferInput<Output>>>
  : string | TextResult;

/** The types of the schemas have mutable arrays; results are read-only. */
type Unchanging<Value> = Value extends object ? { readonly [Name in keyof Value]: Unchanging<Value[Name]> } : Value;

interface TextResult {
  text: string;
  /** Notes for the model, such as what was omitted and how to get the rest; part of the text and the structured content. */
  notes?: readonly string[];
  links?: readonly ResourceLink[];
}

/** Text and structured content are each complete, because some clients show only one of them. */
export interface StructuredResult<Structured> extends TextResult {
  structured: Structured;
}

export interface ResourceLink {
  uri: string;
  name: string;
  mimeType: string;
}

/** Hosts use them to decide whether they ask the user before a call, so that every tool has all four. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

export type OutputSchema = v.GenericSchema<Record<string, unknown>>;

export interface Tool<
  Input extends InputSchema = InputSchema,
  Output extends OutputSchema | undefined = OutputSchema | undefined,
  Context = unknown,
> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** The schema of the structured content; the server adds `notes`. */
  output?: Output;
  annotations: Annotations;
  /** The number of characters that a host should accept before it stores a result in a file. */
  longAnswers?: number;
  /** A boolean flag of the toolset that enables the tool. */
  onlyWith?: string;
  handler(
    args: v.InferOutput<Input>,
    context: Context,
    call: CallContext,
  ): ToolResult<NoInfer<Output>> | Promise<ToolResult<NoInfer<Output>>>;
}

export interface Toolset<Declared extends Flags = Flags, Settings = unknown, Context = unknown> {
  name: string;
  summary: string;
  /** One or two sentences for the model: which tool serves which purpose. */
  instructions: string;
  /** Sentences that depend on the settings: for the instructions, and for the description of each argument of that name. */
  published?(settings: Settings): PublishedSettings;
  isDefault: boolean;
  flags: Declared;
  /** Converts flag values into settings, and rejects invalid values. */
  settings(values: FlagValues<Declared>, mode: Mode): Settings;
  /** Values that are removed from every output, because a backend can echo them. */
  secrets?(settings: Settings): readonly string[];
  /** Lines about the settings for the log at start. */
  notes?(settings: Settings): readonly string[];
  /** Settings that the user should change, for the log at start. */
  warnings?(settings: Settings): readonly string[];
  /** Creates the error object for invalid arguments. */
  argumentReport?: Report;
  /** A longer text is truncated with a note; 0 is no limit. */
  maxTextBytes: number;
  /** Loads the tools of an enabled toolset, so that the others cost no time at start. */
  load(): Promise<Loaded<Settings, Context>>;
}

/** Facts of the settings that a model needs before its first call. */
export interface PublishedSettings {
  instructions?: string;
  arguments?: Readonly<Record<string, string>>;
}

/** The parts of an enabled toolset. */
interface Loaded<Settings, Context> {
  /** In the order of tools/list. */
  tools: readonly Tool<InputSchema, OutputSchema | undefined, NoInfer<Context>>[];
  /** Builds the context of the handlers. The handshake of the client waits for it, so only a check of the user's files may use I/O. */
  open(settings: Settings): Context | Promise<Context>;
  /** Releases the context when the connection ends. The host waits for it. */
  close?(context: Context): Promise<void>;
  /** Does the task that flags with `isTask` ask for. Resolves with whether all of it was done. */
  runTask?(settings: Settings, context: Context, task: TaskOptions): Promise<boolean>;
  /** Yields a line of --check for each external requirement. */
  check?(settings: Settings, context: Context, signal: AbortSignal): AsyncIterable<CheckResult> | Iterable<CheckResult>;
}

/** How a one-off task runs. */
export interface TaskOptions {
  /** false: the task shows its changes and makes none. */
  isConfirmed: boolean;
  write: (line: string) => void;
  signal: AbortSignal;
}

/** A line of --check. The hint is the remediation of an error or a warning. */
export interface CheckResult {
  /** false: an error, with which --check fails. */
  isGood: boolean;
  isWarning?: boolean;
  line: string;
  hint?: string | undefined;
}

/** Gives a tool its types: the arguments follow from `input`, the structured answer from `output`. */
export function defineTool<
  const Input extends InputSchema,
  Context,
  const Output extends OutputSchema | undefined = undefined,
>(tool: Tool<Input, Output, Context>): Tool<Input, Output, Context> {
  return tool;
}

/** Gives a toolset its types: a tool of another toolset does not compile. */
export function defineToolset<const Declared extends Flags, Settings, Context>(
  toolset: Toolset<Declared, Settings, Context>,
): Toolset<Declared, Settings, Context> {
  return toolset;
}

/** An enabled toolset. */
export interface OpenToolset {
  toolset: Toolset;
  published: PublishedSettings;
  secrets: readonly string[];
  notes: readonly string[];
  warnings: readonly string[];
  tools: readonly Tool[];
  close(): Promise<void>;
  check(signal: AbortSignal): AsyncIterable<CheckResult> | Iterable<CheckResult>;
  runTask(task: TaskOptions): Promise<boolean>;
  call(tool: Tool, args: unknown, call: CallContext): Promise<ToolResult<OutputSchema | undefined>>;
}

export async function openToolset(toolset: Toolset, values: FlagValues, mode: Mode): Promise<OpenToolset> {
  const settings = toolset.settings(values, mode);
  const loaded = await toolset.load();
  const context = await loaded.open(settings);
  return {
    toolset,
    published: toolset.published?.(settings) ?? {},
    secrets: toolset.secrets?.(settings) ?? [],
    notes: toolset.notes?.(settings) ?? [],
    warnings: toolset.warnings?.(settings) ?? [],
    tools: loaded.tools.filter(({ onlyWith }) => onlyWith === undefined || values[onlyWith] === true),
    close: async () => await loaded.close?.(context),
    check: signal => loaded.check?.(settings, context, signal) ?? [],
    runTask: async task => (await loaded.runTask?.(settings, context, task)) ?? true,
    async call(tool, args, call) {
      const given = parse(
        tool.input,
        readArguments(args, tool.input.entries),
        'argument',
        tool.name,
        toolset.argumentReport,
      );
      return await tool.handler(given, context, call);
    },
  };
}
