/**
 * The text of a request as a node's parser sees it, which is stricter than `JSON.parse`; undefined where it refuses all of it.
 *
 * A number with a point or an exponent is never a whole number to it, and neither is -0: such are marked, so that no field of
 * a request reads them (none holds a fraction). It looks into `params`, and at how often the envelope names its three members;
 * what nobody asked for it skips.
 */
export function toStrictJson(text: string): string | undefined {
  if (!isOdd(text)) return text
  if (text.startsWith('\ufeff')) return undefined
  const place: Place = { depth: 0, member: undefined, named: new Set() }
  const written: string[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    const read = readToken(token, place)
    if (read === undefined) return undefined
    written.push(read)
  }
  return written.join('')
}

/** A mark of byte order, a surrogate, a number that may be no whole one, a nest. */
const ODD = /^\ufeff|\\u[dD]|[[:,\s]-?\d+[.eE]|-0|(?:[[{][^[\]{}]{0,99}){99}/

/** Whether the text is worth a closer look, which takes its time. */
const isOdd = (text: string): boolean =>
  ODD.test(text) || MEMBERS.some((member) => text.indexOf(member) !== text.lastIndexOf(member))

/** A text, a bracket, a separator, white space, or whatever stands between these: a number, a literal, or no JSON at all. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|\s+|[^\s{}[\],:"]+/gs

/** Where the parser stands: how deep, and in which member of the envelope. */
interface Place {
  depth: number
  member: string | undefined
  readonly named: Set<string>
}

/** The parser nests no deeper. */
const MAX_DEPTH = 127

const MEMBERS: readonly string[] = ['"id"', '"method"', '"params"']

/** What no field of a request reads. */
const MARK = '"#"'

function readToken(token: string, place: Place): string | undefined {
  if (token === '{' || token === '[') return deeper(token, place)
  if (token === '}' || token === ']') place.depth -= 1
  else if (place.depth === 1 && token === ',') place.member = undefined
  else if (place.depth === 1 && place.member === undefined && token.startsWith('"')) return named(token, place)
  else if (token.startsWith('"')) return isInParams(place) && hasLoneSurrogate(token) ? undefined : token
  else if (FRACTION.test(token)) return isInParams(place) && !Number.isFinite(Number(token)) ? undefined : MARK
  return token
}

/** A number that is no whole one to the node. */
const FRACTION = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$(?<!^(?:-?[1-9]\d*|\d+)$)/

function deeper(token: string, place: Place): string | undefined {
  place.depth += 1
  return place.depth > MAX_DEPTH && isInParams(place) ? undefined : token
}

/** The name of a member of the envelope; the three that count may come once. */
function named(token: string, place: Place): string | undefined {
  place.member = token
  if (!MEMBERS.includes(token)) return token
  if (place.named.has(token)) return undefined
  place.named.add(token)
  return token
}

const isInParams = ({ member }: Place): boolean => member === '"params"'

/** Half of a pair of escapes, which is no character. */
const hasLoneSurrogate = (token: string): boolean => {
  const escapes = token.replace(/\\[^u]/g, '').replace(/\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g, '')
  return /\\u[dD][89a-fA-F]/.test(escapes)
}
