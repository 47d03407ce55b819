export type Attributes = Readonly<Record<string, string | undefined>>;

/** What is read of a page, in order; names are in small letters, entities decoded. */
export interface HtmlSink {
  text(text: string): void;
  open(name: string, attributes: Attributes, isSelfClosing: boolean): void;
  close(name: string): void;
  /** Whether a drawing is open, where `<title>` and the like are ordinary elements. */
  isInDrawing?(): boolean;
}

/** Most tags have none: they share this. */
export const noAttributes: Attributes = {};
