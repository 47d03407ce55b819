// A client of the bucket that shares no code with the tested program.
import { createHash } from 'node:crypto';
import aws4 from 'aws4';

export function openBucket({ endpoint, region, bucket, accessKeyId, secretAccessKey }) {
  const { host } = new URL(endpoint);
  const ask = async (method, target, body = '') => {
    const hash = createHash('sha256').update(body).digest('hex');
    const request = { service: 's3', region, method, host, path: `/${bucket}${target}` };
    const { headers } = aws4.sign(
      { ...request, headers: { host, 'x-amz-content-sha256': hash } },
      { accessKeyId, secretAccessKey },
    );
    const answer = await fetch(`${endpoint}${request.path}`, { method, headers, ...(method === 'PUT' && { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok && answer.status !== 404)
      throw new Error(`${method} ${target}: ${answer.status} ${bytes.toString()}`);
    return { isThere: answer.ok, headers: answer.headers, bytes };
  };
  return {
    // The text is sent as bytes, because a string would be sent with a content type that is not signed.
    put: async (key, text) => await ask('PUT', `/${key}`, Buffer.from(text)),

    /** Reads an object. Returns undefined if it is missing, or empty and marked as a deleted file. */
    async read(key) {
      const { isThere, headers, bytes } = await ask('GET', `/${key}`);
      return isThere && !headers.has('x-amz-meta-oj-deleted') ? bytes : undefined;
    },

    async keys(prefix) {
      const keys = [];
      for (let token; ; ) {
        const more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`;
        const query = `list-type=2&prefix=${encodeURIComponent(prefix)}`;
        const xml = (await ask('GET', `?${more.slice(1)}${more && '&'}${query}`)).bytes.toString('utf8');
        keys.push(...Array.from(xml.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => key));
        token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
        if (token === undefined) return keys;
      }
    },
  };
}
