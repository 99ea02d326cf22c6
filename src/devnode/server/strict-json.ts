import { stringEnd } from '../../model/long-integers.js'

/**
 * The text of a request as a node's parser reads it, which is stricter than `JSON.parse`; undefined if it rejects the
 * text.
 *
 * A number with a point or an exponent is never an integer to it, nor is -0: these are replaced by a placeholder that
 * no field accepts (no field holds a fraction). It validates `params` and duplicates of the three envelope members,
 * nothing else.
 */
export function toStrictJson(text: string): string | undefined {
  if (!needsRewrite(text)) return text
  if (text.startsWith('\ufeff')) return undefined
  const state: ParserState = { depth: 0, member: undefined, seen: new Set() }
  const output: string[] = []
  for (const token of tokens(text)) {
    const replaced = readToken(token, state)
    if (replaced === undefined) return undefined
    output.push(replaced)
  }
  return output.join('')
}

/** A byte order mark, a surrogate escape, a number that may not be an integer. */
const SUSPICIOUS = /^\ufeff|\\u[dD]|[[:,\s]-?\d+[.eE]|-0/

/** A cheap check: tokenizing is slow. */
const needsRewrite = (text: string): boolean =>
  SUSPICIOUS.test(text) ||
  MEMBERS.some((member) => text.indexOf(member) !== text.lastIndexOf(member)) ||
  hasBrackets(text, MAX_DEPTH)

/** Whether the text has more opening brackets than `count`, in strings or outside. */
function hasBrackets(text: string, count: number): boolean {
  let found = 0
  for (let at = 0; at < text.length && found <= count; at++) {
    if (text[at] === '[' || text[at] === '{') found += 1
  }
  return found > count
}

/** Strings, brackets, separators, and whatever lies between these: white space, a number, a literal or invalid JSON. */
function* tokens(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = tokenEnd(text, at)
    yield text.slice(at, end)
    at = end
  }
}

function tokenEnd(text: string, at: number): number {
  const kind = kindOf(text[at])
  if (kind === 'string') return stringEnd(text, at + 1)
  if (kind === 'separator') return at + 1
  let end = at + 1
  while (end < text.length && kindOf(text[end]) === kind) end += 1
  return end
}

function kindOf(character = ''): 'string' | 'separator' | 'space' | 'other' {
  if (character === '"') return 'string'
  if ('{}[],:'.includes(character)) return 'separator'
  return ' \t\n\r'.includes(character) ? 'space' : 'other'
}

/** Nesting depth, current envelope member and the members seen. */
interface ParserState {
  depth: number
  member: string | undefined
  readonly seen: Set<string>
}

/** The parser's nesting limit. */
const MAX_DEPTH = 127

const MEMBERS: readonly string[] = ['"id"', '"method"', '"params"']

/** A value that no field of a request accepts. */
const PLACEHOLDER = '"#"'

function readToken(token: string, state: ParserState): string | undefined {
  if (token === '{' || token === '[') return readOpeningBracket(token, state)
  if (token === '}' || token === ']') state.depth -= 1
  else if (state.depth === 1 && token === ',') state.member = undefined
  else if (state.depth === 1 && state.member === undefined && token.startsWith('"')) return readMember(token, state)
  else if (token.startsWith('"')) return isInParams(state) && hasLoneSurrogate(token) ? undefined : token
  else if (FRACTION.test(token)) return isInParams(state) && !Number.isFinite(Number(token)) ? undefined : PLACEHOLDER
  return token
}

/** A number that is not an integer to the node. */
const FRACTION = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$(?<!^(?:-?[1-9]\d*|\d+)$)/

function readOpeningBracket(token: string, state: ParserState): string | undefined {
  state.depth += 1
  return state.depth > MAX_DEPTH && isInParams(state) ? undefined : token
}

/** The name of an envelope member; duplicates of the three known ones are rejected. */
function readMember(token: string, state: ParserState): string | undefined {
  state.member = token
  if (!MEMBERS.includes(token)) return token
  if (state.seen.has(token)) return undefined
  state.seen.add(token)
  return token
}

const isInParams = ({ member }: ParserState): boolean => member === '"params"'

/** A surrogate escape without its other half. */
const hasLoneSurrogate = (token: string): boolean => {
  const escapes = token.replace(/\\[^u]/g, '').replace(/\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g, '')
  return /\\u[dD][89a-fA-F]/.test(escapes)
}
