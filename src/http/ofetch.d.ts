// ofetch's published types require the platform's `Headers` and `Response`. These are the members that it really uses: it
// constructs the headers, merges them, passes unknown options on and returns the response of `fetch`.
declare module 'ofetch' {
  type Fields = Readonly<Record<string, string>>;

  interface MergeableHeaders {
    set(name: string, value: string): unknown;
    [Symbol.iterator](): Iterator<[string, string]>;
  }

  export function createFetch<Headers extends MergeableHeaders, Options extends { headers: Fields }, Response>(parts: {
    fetch: (url: string, options: Omit<Options, 'headers'> & { headers: Headers }) => Promise<Response>;
    Headers: new (fields: Fields) => Headers;
    defaults: { headers: Fields; responseType: 'stream'; ignoreResponseError: true; retry: 0 };
  }): {
    raw: (this: void, url: string, options: Options) => Promise<Response>;
  };
}
