import type * as v from 'valibot';
import { readArguments } from './argument.ts';
import { type ErrorReporter, validateValue } from './parse.ts';

/** A flag of the command line. Its environment variable has the same name with the prefix `OJ_MCP_`. */
export interface Flag {
  type: 'string' | 'boolean';
  description: string;
  valueHint?: string;
  /**
   * The name of another flag for the same setting. If either flag is on the command line, the environment variables of
   * both are ignored.
   */
  insteadOf?: string;
  /** True if the flag can be repeated. Its environment variable contains a list like PATH. */
  isList?: true;
  /**
   * True if the flag belongs to a one-off task such as an import. It has no environment variable, and no host starts a
   * server with it.
   */
  isTask?: true;
  /** True if the tasks of the toolset, such as an import, also use this flag. */
  isForTask?: true;
  /** True if the server creates the folder of this flag when it is missing. */
  isCreated?: true;
  /** True if the flag changes --check only. */
  isForCheck?: true;
  /**
   * True if the value is a secret. The server warns if it is on the command line, where other users of the machine can
   * see it.
   */
  isSecret?: true;
}

export type Flags = Record<string, Flag>;

/** The values of flags. Surrounding white space and placeholders are already removed. */
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

/** An environment variable that belongs to no flag of this program, such as HTTPS_PROXY. */
export interface ExternalVariable {
  name: string;
  /** True if the value of the variable is the path of a file. */
  isPath?: true;
  isSecret?: true;
  /** Describes how the same can be configured without writing a secret into the file of a host. */
  alternative?: string;
}

/** These settings apply to the whole program and are passed to every toolset. */
export interface ProgramMode {
  isDemo: boolean;
}

/** The state of one call. A handler receives it with its arguments and the context of its toolset. */
export interface CallContext {
  /** The signal is aborted when the client cancels the call or disconnects. Handlers pass it to every request. */
  signal: AbortSignal;
  /** The name that the client program has sent in its request, for example as the author of a change. */
  agent: string | undefined;
  /** Reports progress to a client that has requested it. The value of `done` never decreases. */
  progress: (done: number, total?: number, message?: string) => void;
  /** Logs a bug that does not prevent a result. */
  report: (bug: unknown) => void;
}

/** The result of a handler. A tool with an `output` schema always returns structured content. */
export type ToolResult<Output extends OutputSchema | undefined> = Output extends OutputSchema
  ? StructuredResult<Unchanging<v.InferInput<Output>>>
  : string | TextResult;

/** Makes a type read-only at every depth, because the types that schemas produce have mutable arrays. */
type Unchanging<Value> = Value extends object ? { readonly [Name in keyof Value]: Unchanging<Value[Name]> } : Value;

interface TextResult {
  text: string;
  /**
   * Notes for the model, for example about omitted parts and how to get them. They are added to the text and to the
   * structured content.
   */
  notes?: readonly string[];
  links?: readonly ResourceLink[];
}

/** The text and the structured content are each complete, because some clients show only one of them. */
export interface StructuredResult<Structured> extends TextResult {
  structured: Structured;
}

export interface ResourceLink {
  uri: string;
  name: string;
  mimeType: string;
}

/** Hosts use these hints to decide whether they ask the user before a call. Every tool states all four. */
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
  /** The schema of the structured content. The server adds `notes` to it. */
  output?: Output;
  annotations: Annotations;
  /** Facts for particular hosts, published as `_meta` of the tool. */
  meta?: Readonly<Record<string, unknown>>;
  /** The tool is published only if this boolean flag of the toolset is set. */
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
  /** These one or two sentences tell the model which tool serves which purpose. */
  instructions: string;
  /**
   * Returns sentences that depend on the settings. The server adds them to its instructions and to the descriptions of
   * arguments.
   */
  published?(settings: Settings): PublishedSettings;
  isDefault: boolean;
  flags: Declared;
  /** Converts flag values into settings. Throws for invalid values. */
  settings(values: FlagValues<Declared>, mode: ProgramMode): Settings;
  /** Returns the environment variables of other programs, such as HTTPS_PROXY, that have an effect with these settings. */
  variables?(settings: Settings): readonly ExternalVariable[];
  /** Returns values that are removed from every output, because a backend can echo them. */
  secrets?(settings: Settings): readonly string[];
  /** Returns lines about the settings, which the server logs at the start. */
  notes?(settings: Settings): readonly string[];
  /** Returns warnings about settings that the user should change. They are logged at the start. */
  warnings?(settings: Settings): readonly string[];
  /** Creates the error object for invalid arguments. */
  argumentReport?: ErrorReporter;
  /** A longer text is truncated with a note. 0 means no limit. */
  maxTextBytes: number;
  /** Loads the tools of an enabled toolset. Disabled toolsets cost no time at the start. */
  load(): Promise<Loaded<Settings, Context>>;
}

/** Facts about the settings that a model must know before its first call. */
export interface PublishedSettings {
  instructions?: string;
  arguments?: Readonly<Record<string, string>>;
  /** Maps the name of an argument to the next step after the argument was missing or invalid. */
  hints?: Readonly<Record<string, string>>;
}

/** The parts of a toolset that are loaded when it is enabled. */
interface Loaded<Settings, Context> {
  /** Contains the tools in the order of tools/list. */
  tools: readonly Tool<InputSchema, OutputSchema | undefined, NoInfer<Context>>[];
  /**
   * Creates the context of the handlers. The handshake with the client waits for it, so it does no I/O except checking
   * files of the user.
   */
  createContext(settings: Settings): Context | Promise<Context>;
  /** Releases the context when the connection ends. The host waits for it. */
  closeContext?(context: Context): Promise<void>;
  /**
   * Runs the task that the flags with `isTask` request, such as an import. Resolves with false if a part of the task
   * was not done.
   */
  runTask?(settings: Settings, context: Context, task: TaskOptions): Promise<boolean>;
  /** Yields one line of --check for each external requirement. */
  checkSetup?(
    settings: Settings,
    context: Context,
    signal: AbortSignal,
  ): AsyncIterable<CheckResult> | Iterable<CheckResult>;
}

/** The options of a one-off task. */
export interface TaskOptions {
  /** If false, the task prints its changes but does not make them. */
  isConfirmed: boolean;
  write: (line: string) => void;
  signal: AbortSignal;
}

/** A line of --check. Its hint states how to fix an error or a warning. */
export interface CheckResult {
  /** False means an error, which makes --check fail. */
  isGood: boolean;
  isWarning?: boolean;
  line: string;
  hint?: string | undefined;
}

/** Infers the types of a tool: arguments from `input`, structured content from `output`. */
export function defineTool<
  const Input extends InputSchema,
  Context,
  const Output extends OutputSchema | undefined = undefined,
>(tool: Tool<Input, Output, Context>): Tool<Input, Output, Context> {
  return tool;
}

/** Infers the types of a toolset, so that a tool of another toolset does not compile. */
export function defineToolset<const Declared extends Flags, Settings, Context>(
  toolset: Toolset<Declared, Settings, Context>,
): Toolset<Declared, Settings, Context> {
  return toolset;
}

/** A toolset that is enabled and loaded. */
export interface OpenedToolset {
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

export async function openToolset(toolset: Toolset, values: FlagValues, mode: ProgramMode): Promise<OpenedToolset> {
  const settings = toolset.settings(values, mode);
  const loaded = await toolset.load();
  const context = await loaded.createContext(settings);
  const published = toolset.published?.(settings) ?? {};
  return {
    toolset,
    published,
    secrets: toolset.secrets?.(settings) ?? [],
    notes: toolset.notes?.(settings) ?? [],
    warnings: toolset.warnings?.(settings) ?? [],
    tools: loaded.tools.filter(({ onlyWith }) => onlyWith === undefined || values[onlyWith] === true),
    close: async () => await loaded.closeContext?.(context),
    check: signal => loaded.checkSetup?.(settings, context, signal) ?? [],
    runTask: async task => (await loaded.runTask?.(settings, context, task)) ?? true,
    async call(tool, args, call) {
      const given = validateValue(
        tool.input,
        readArguments(args, tool.input.entries),
        'argument',
        tool.name,
        toolset.argumentReport,
        published.hints,
      );
      return await tool.handler(given, context, call);
    },
  };
}
