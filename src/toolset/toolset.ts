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
   * both flags are ignored.
   */
  insteadOf?: string;
  /** True if the flag can be repeated. Its environment variable contains a list in the format of PATH. */
  isList?: true;
  /**
   * True if the flag belongs to a task that runs once, such as an import. The flag has no environment variable, and no
   * host starts a server with it.
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

/** The values of flags, without surrounding white space and without placeholders. */
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
  /** True if the value of the variable is a path to a file. */
  isPath?: true;
  isSecret?: true;
  /** Describes another way to configure the toolset, in which the host's file contains no secret. */
  alternative?: string;
}

/** Settings of the whole program, which every toolset receives. */
export interface ProgramMode {
  isDemo: boolean;
}

/** The state of one tool call. A handler receives it with its arguments and the context of its toolset. */
export interface CallContext {
  /** This AbortSignal is aborted when the client cancels the call or disconnects. Handlers pass it to every request. */
  signal: AbortSignal;
  /** The name that the client program has sent in its request. It can be used as the author of a change. */
  agent: string | undefined;
  /** Reports progress to a client that has requested it. The argument `done` must never decrease. */
  progress: (done: number, total?: number, message?: string) => void;
  /** Logs a bug after which the handler can still return a result. */
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
   * Notes for the model, for example about omitted parts and the way to get them. The server adds them to the text and
   * to the structured content.
   */
  notes?: readonly string[];
  links?: readonly ResourceLink[];
}

/** The text and the structured content each contain the whole result, because some clients show only one of them. */
export interface StructuredResult<Structured> extends TextResult {
  structured: Structured;
}

export interface ResourceLink {
  uri: string;
  name: string;
  mimeType: string;
}

/** Hosts use these annotations to decide whether they ask the user before a call. Every tool must state all four. */
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
  /** Metadata for certain hosts, published as `_meta` of the tool. */
  meta?: Readonly<Record<string, unknown>>;
  /** The name of a boolean flag. The tool is published only if this flag is set. */
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
  /** One or two sentences that tell the model when to use each tool. */
  instructions: string;
  /**
   * Returns sentences that depend on the settings. The server adds them to its instructions and to the descriptions of
   * arguments.
   */
  published?(settings: Settings, context: Context): PublishedSettings;
  isDefault: boolean;
  flags: Declared;
  /** Converts the values of flags into settings. Throws an error for invalid values. */
  settings(values: FlagValues<Declared>, mode: ProgramMode): Settings;
  /** Returns the environment variables of other programs, such as HTTPS_PROXY, that these settings use. */
  variables?(settings: Settings): readonly ExternalVariable[];
  /** Returns secrets that are redacted in every output, because a backend can repeat them in a response. */
  secrets?(settings: Settings): readonly string[];
  /** Returns lines about the settings. The server logs them at the start. */
  notes?(settings: Settings): readonly string[];
  /** Returns warnings about settings that the user should change. The server logs them at the start. */
  warnings?(settings: Settings): readonly string[];
  /** Creates the error object for invalid arguments. */
  argumentReport?: ErrorReporter;
  /** The maximum length of a text. A longer text is truncated with a note, and 0 means no limit. */
  maxTextBytes: number;
  /** Loads the tools of an enabled toolset. Disabled toolsets are not loaded, so that they do not delay the start. */
  load(): Promise<Loaded<Settings, Context>>;
}

/** Sentences about the settings that a model must know before its first call. */
export interface PublishedSettings {
  instructions?: string;
  arguments?: Readonly<Record<string, string>>;
  /** Maps the name of an argument to the next step if the argument is missing or invalid. */
  hints?: Readonly<Record<string, string>>;
}

/** The parts of a toolset that are loaded when it is enabled. */
interface Loaded<Settings, Context> {
  /** The tools in the order of the response to tools/list. */
  tools: readonly Tool<InputSchema, OutputSchema | undefined, NoInfer<Context>>[];
  /**
   * Creates the context of the handlers. The handshake with the client waits for it, so that it must do no I/O except
   * reading files of the user.
   */
  createContext(settings: Settings): Context | Promise<Context>;
  /** Releases the context when the connection ends. The process exits after it. */
  closeContext?(context: Context): Promise<void>;
  /**
   * Runs the task that the flags with `isTask` request, such as an import. The promise resolves with false if a part of
   * the task was not done.
   */
  runTask?(settings: Settings, context: Context, task: TaskOptions): Promise<boolean>;
  /** Yields one result of --check for each external requirement, such as a folder or a backend. */
  checkSetup?(
    settings: Settings,
    context: Context,
    signal: AbortSignal,
  ): AsyncIterable<CheckResult> | Iterable<CheckResult>;
}

/** The options of a task that runs once, such as an import. */
export interface TaskOptions {
  /** If false, the task only prints its changes. */
  isConfirmed: boolean;
  write: (line: string) => void;
  signal: AbortSignal;
}

/** A line of --check. The hint states how to fix an error or a warning. */
export interface CheckResult {
  /** False for an error, which makes --check fail. */
  isGood: boolean;
  isWarning?: boolean;
  line: string;
  hint?: string | undefined;
}

/** Infers the types of a tool: its arguments from `input`, its structured content from `output`. */
export function defineTool<
  const Input extends InputSchema,
  Context,
  const Output extends OutputSchema | undefined = undefined,
>(tool: Tool<Input, Output, Context>): Tool<Input, Output, Context> {
  return tool;
}

/** Infers the types of a toolset, so that a tool of another toolset causes a type error. */
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
  const published = toolset.published?.(settings, context) ?? {};
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
