import type { Random } from '../../src/devnode/machine.js'

/** Values that a reader may take for others, in JSON. */
const VALUES = [
  'null',
  'true',
  '0',
  '1',
  '-1',
  '-0',
  '1.0',
  '1e3',
  '9.9e8',
  '18446744073709551615',
  '18446744073709551616',
  '9007199254740993',
  '"1"',
  '""',
  '[]',
  '{}',
  '00',
  '"\\ud800"',
  '"__proto__"',
  `"${'00'.repeat(32)}"`,
  '[[[[]]]]',
] as const

/** What surrounds values in JSON. */
const TOKENS = ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\u0000', 'é', '\u{10ffff}'] as const

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/** A JSON text with one or two changes: a value, a member twice, in another case or left out, or any characters. */
export function mutate(json: string, random: Random): string {
  let mutated = json
  for (let left = 1 + Math.floor(random() * 2); left > 0; left--) mutated = pick(random, CHANGES)(mutated, random)
  return mutated
}

type Change = (json: string, random: Random) => string

const CHANGES: readonly Change[] = [replaceValue, repeatMember, renameMember, dropMember, swapMembers, insertToken, cut]

/** The values and members of a text, by position. */
const spansOf = (json: string, pattern: RegExp) =>
  [...json.matchAll(pattern)].map((match) => ({ start: match.index, text: match[0] }))

const MEMBER = /"[A-Za-z0-9]+":(?:-?\d+|null|true|false|"[^"]*"|\{\})/g

const splice = (json: string, { start, text }: { start: number; text: string }, by: string): string =>
  json.slice(0, start) + by + json.slice(start + text.length)

function changeMember(json: string, random: Random, change: (text: string) => string): string {
  const members = spansOf(json, MEMBER)
  if (members.length === 0) return json
  const member = pick(random, members)
  return splice(json, member, change(member.text))
}

function replaceValue(json: string, random: Random): string {
  return changeMember(json, random, (text) => text.slice(0, text.indexOf(':') + 1) + pick(random, VALUES))
}

function repeatMember(json: string, random: Random): string {
  return changeMember(json, random, (text) => `${text},${text}`)
}

function renameMember(json: string, random: Random): string {
  return changeMember(json, random, (text) =>
    pick(random, [
      text.toUpperCase(),
      text.replace('"', '"_'),
      text.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
    ]),
  )
}

function dropMember(json: string, random: Random): string {
  return changeMember(json, random, () => '').replace(/,,|\{,|,\}/g, (found) => found.replace(',', ''))
}

function swapMembers(json: string, random: Random): string {
  const members = spansOf(json, MEMBER)
  if (members.length === 0) return json
  const [one, other] = [pick(random, members), pick(random, members)]
  return splice(json, one, other.text)
}

function insertToken(json: string, random: Random): string {
  const at = Math.floor(random() * json.length)
  return json.slice(0, at) + pick(random, [...TOKENS, ...VALUES]) + json.slice(at)
}

function cut(json: string, random: Random): string {
  const start = Math.floor(random() * json.length)
  return json.slice(0, start) + json.slice(start + Math.floor(random() * 20))
}
