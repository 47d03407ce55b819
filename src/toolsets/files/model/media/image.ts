export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height from the head of a picture: PNG, JPEG, GIF, WebP, BMP. */
export function imageSize(head: Buffer): ImageSize | undefined {
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? bmpSize(head) ?? jpegSize(head);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(head: Buffer): ImageSize | undefined {
  if (head.length < 24 || head.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gifSize(head: Buffer): ImageSize | undefined {
  if (head.length < 10 || !/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) return undefined;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

function bmpSize(head: Buffer): ImageSize | undefined {
  if (head.length < 26 || head.toString('latin1', 0, 2) !== 'BM') return undefined;
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

function webpSize(head: Buffer): ImageSize | undefined {
  if (head.length < 30 || head.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** Goes from marker to marker to the one that starts the frame. */
function jpegSize(head: Buffer): ImageSize | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < head.length; ) {
    if (head[at] !== 0xff) return undefined;
    const marker = head[at + 1] ?? 0;
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    } else if (marker >= 0xd0 && marker <= 0xd9) at += 2;
    else at += 2 + Math.max(2, head.readUInt16BE(at + 2));
  }
  return undefined;
}
