/** A program in the fragment of a URL, which no server gets to know: `code=` and its text, compressed, in base64url. */

const KEY = 'code='
/** Characters of a program: what decompresses to more is no program. */
const MAX_LENGTH = 100_000

/** The fragment of an address as text; undefined where its percent-encoding is damaged. */
export function readFragment(hash: string): string | undefined {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The fragment that holds a program. */
export async function toFragment(source: string): Promise<string> {
  const stream = new Blob([source]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return KEY + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The program of a fragment; undefined where it holds none, or one that is damaged. */
export async function fromFragment(fragment: string): Promise<string | undefined> {
  if (!fragment.startsWith(KEY)) return undefined
  try {
    const text = atob(fragment.slice(KEY.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return await readText(stream.pipeThrough(new TextDecoderStream()))
  } catch {
    return undefined // cut off while it was copied
  }
}

async function readText(stream: ReadableStream<string>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
    if (text.length > MAX_LENGTH) throw new RangeError('The program is too long.')
  }
}
