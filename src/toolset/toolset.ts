import type * as v from 'valibot';
import { readArguments } from './argument.ts';
import { parse, type Report } from './parse.ts';

/** A flag of the command line; the same name as `OJ_MCP_…` is its environment variable. */
export interface Flag {
  type: 'string' | 'boolean';
  description: string;
  valueHint?: string;
  /** The other flag for the same thing: on the command line either of them wins over the variables of both. */
  insteadOf?: string;
  /** May be given several times; its variable holds a list in the manner of PATH. */
  isList?: true;
  /** Part of a one-off task such as an import: it has no variable, and no host starts a server with it. */
  isTask?: true;
  /** On the command line the value can be seen by other users of the machine: draws a warning there. */
  isSecret?: true;
}

export type Flags = Record<string, Flag>;

/** What was typed for some flags; blanks and placeholders are already dropped. */
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

/** Circumstances of the whole program that a toolset may want to know. */
export interface Mode {
  isDemo: boolean;
}

/** What a handler gets besides its arguments and its toolset's context. */
export interface CallContext {
  /** Aborted when the client cancels or goes away; travels with every request to the outside. */
  signal: AbortSignal;
  /** The name the client gave itself. */
  agent: string | undefined;
  /** Tells a client that asked for it how far long work has come; `done` only ever grows. */
  progress: (done: number, total?: number, message?: string) => void;
  /** Tells the log of a bug that the answer could do without. */
  report: (bug: unknown) => void;
}

/** What a handler returns. A tool that declares its `output` always gives the structured half too. */
export type ToolResult<Output extends OutputSchema | undefined> = Output extends OutputSchema
  ? StructuredResult<Unchanging<v.InferInput<Output>>>
  : string | TextResult;

/** The schemas' own types ask for lists one may write to; nobody writes to an answer. */
type Unchanging<Value> = Value extends object ? { readonly [Name in keyof Value]: Unchanging<Value[Name]> } : Value;

interface TextResult {
  text: string;
  /** Sentences for the reader: what was left out, how to get the rest. They go into both halves. */
  notes?: readonly string[];
  links?: readonly ResourceLink[];
}

/** The structured half is for programs; either half alone says everything. */
export interface StructuredResult<Structured> extends TextResult {
  structured: Structured;
}

export interface ResourceLink {
  uri: string;
  name: string;
  mimeType: string;
}

/** Hosts decide by these whether to ask the user first: all four are stated for every tool. */
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
  /** The shape of `structured`, for tools that return it; `notes` is added to it by the server. */
  output?: Output;
  annotations: Annotations;
  /** Long answers are meant: hosts that put what is longer than usual aside are asked to take this many characters. */
  longAnswers?: number;
  /** A switch among the flags of its toolset: only with it the tool is offered. */
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
  /** One or two sentences for the model: which tool for which wish. */
  instructions: string;
  /** What the settings add: a sentence behind the instructions, and behind the description of each argument of that name. */
  published?(settings: Settings): PublishedSettings;
  isDefault: boolean;
  flags: Declared;
  /** Turns what was typed into what the toolset needs; the place to refuse a bad value. */
  settings(values: FlagValues<Declared>, mode: Mode): Settings;
  /** Values that must never leave the program, whatever the backend echoes. */
  secrets?(settings: Settings): readonly string[];
  /** What the log says of the settings at start. */
  notes?(settings: Settings): readonly string[];
  /** What the user had better change, also for the log at start. */
  warnings?(settings: Settings): readonly string[];
  /** What goes out in place of the sentence when arguments do not fit. */
  argumentReport?: Report;
  /** A longer text is cut here, at a character, with a note; 0 is no limit. */
  maxTextBytes: number;
  /** Loads the rest: only of a toolset that is on, so that the others cost nothing at start. */
  load(): Promise<Loaded<Settings, Context>>;
}

/** Facts of the settings that a model needs before its first call. */
export interface PublishedSettings {
  instructions?: string;
  arguments?: Readonly<Record<string, string>>;
}

/** What a toolset that is on consists of. */
interface Loaded<Settings, Context> {
  /** In the order in which clients list them. */
  tools: readonly Tool<InputSchema, OutputSchema | undefined, NoInfer<Context>>[];
  /** Builds the context of the handlers. The handshake of the client waits for it, so only a check of the user's files may use I/O. */
  open(settings: Settings): Context | Promise<Context>;
  /** Ends what `open` began, when the conversation is over. Brief: the host is waiting. */
  close?(context: Context): Promise<void>;
  /** Does the task that flags with `isTask` ask for. Resolves with whether all of it was done. */
  runTask?(settings: Settings, context: Context, task: TaskOptions): Promise<boolean>;
  /** What --check says of the world outside: a line for each thing that is needed. */
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

/** A toolset that is switched on. */
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
