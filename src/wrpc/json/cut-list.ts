/** A message whose list of entries is to be parsed in parts. */
export interface CutMessage {
  readonly text: string
  /** The bounds of the items in the text. */
  readonly start: number
  readonly end: number
  /** The message with an empty list. */
  readonly rest: string
}

/** Shorter messages are not cut. */
const MIN_LENGTH = 2 ** 17
/** The least characters of a part: some ms. */
const PART = 2 ** 16

const OPENING = '"entries":['
/** Between two items of the list, as every node writes them: the last field of each is a record. */
const BETWEEN = '}},{'

/** Cuts a long list out of a message; undefined where there is none. */
export function cutList(text: string): CutMessage | undefined {
  if (text.length < MIN_LENGTH) return undefined
  const start = text.indexOf(OPENING) + OPENING.length
  const end = text.lastIndexOf(']')
  if (start < OPENING.length || end < start) return undefined
  return { text, start, end, rest: text.slice(0, start) + text.slice(end) }
}

/**
 * The list in parts, each a list of some of the items. A cut between two items leaves two lists; any other leaves a
 * part that is no list.
 */
export function* partsOf({ text, start, end }: CutMessage): Iterable<string> {
  for (let from = start; from < end;) {
    const between = text.indexOf(BETWEEN, from + PART)
    const to = between < 0 || between >= end ? end : between + 2
    yield `[${text.slice(from, to)}]`
    from = to + 1
  }
}
