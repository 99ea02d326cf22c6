/**
 * Lists words of scripts/glossary.mjs in identifiers, comments, prose strings and documentation.
 * `node scripts/vocabulary.mjs [path …]` prints them as file:line; the contract test expects none.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { GLOSSARY } from './glossary.mjs'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const CHECKED = [
  'src',
  'test',
  'demo',
  'docs',
  'create',
  'bench',
  'scripts',
  'examples',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]
const SKIPPED =
  /^test\/(fixtures|contract\/api)\/|^scripts\/(glossary|vocabulary)\.mjs$|^test\/contract\/vocabulary\.test\.ts$|\.(json|bin|svg|png|wasm)$|package-lock/

/** Parts of an identifier in lower case: `makeUpForBlocks$` is make, up, for, blocks. */
const partsOf = (identifier) =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

// Read once: `typescript` exports getters, which a million tokens would call.
const { createScanner, LanguageVariant, ScriptTarget, SyntaxKind } = ts
/** The kinds of strings and of parts of template literals. */
const STRINGS = new Set(Object.values(SyntaxKind).filter((kind) => /Template|StringLiteral/.test(SyntaxKind[kind])))

/** Identifiers, comments and prose strings of a TypeScript or JavaScript text, each with its offset. */
function tokensOf(text) {
  const scanner = createScanner(ScriptTarget.Latest, false, LanguageVariant.Standard, text)
  const tokens = []
  const braces = [] // template literals nest: after `${ … }` the scanner reads on as a template
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === SyntaxKind.TemplateHead) braces.push(0)
    else if (kind === SyntaxKind.OpenBraceToken && braces.length > 0) braces[braces.length - 1]++
    else if (kind === SyntaxKind.CloseBraceToken && braces.length > 0) {
      if (braces.at(-1) === 0) {
        kind = scanner.reScanTemplateToken(false)
        if (kind === SyntaxKind.TemplateTail) braces.pop()
      } else braces[braces.length - 1]--
    }
    const token = tokenOf(kind, scanner.getTokenText(), scanner.getTokenStart())
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

/** A token that is checked; undefined for any other. */
function tokenOf(kind, text, start) {
  if (kind === SyntaxKind.Identifier) return { text, start, kind: 'identifier' }
  if (kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia)
    return { text, start, kind: 'prose' }
  if (!STRINGS.has(kind)) return undefined
  if (/[a-z] [a-z]/i.test(text)) return { text, start, kind: 'prose' }
  const isWord = kind === SyntaxKind.StringLiteral && /^'[A-Za-z-]+'$/.test(text)
  return isWord ? { text: text.slice(1, -1), start, kind: 'identifier' } : undefined
}

/** Markdown, CSS and Vue templates are prose as a whole; a Vue file's script is code. */
function tokensOfFile(path, text) {
  if (/\.(ts|mjs|js|mts)$/.test(path)) return tokensOf(text)
  if (!path.endsWith('.vue')) return [{ text, start: 0, kind: 'prose' }]
  const script = /<script[^>]*>([\s\S]*?)<\/script>/.exec(text)
  if (script === null) return [{ text, start: 0, kind: 'prose' }]
  const from = script.index + script[0].indexOf('>') + 1
  const code = tokensOf(script[1]).map((token) => ({ ...token, start: token.start + from }))
  const blank = text.slice(0, from) + script[1].replace(/[^\n]/g, ' ') + text.slice(from + script[1].length)
  return [...code, { text: blank, start: 0, kind: 'prose' }]
}

const inPath = (path, places = []) => places.some((place) => path.startsWith(place))
const allows = (patterns, context) => patterns.some((pattern) => pattern.test(context))

/** The glossary with its patterns compiled: `prose` finds candidates in a text, `allow` decides about their context. */
const ENTRIES = GLOSSARY.map(({ words, sentences = [], allow = [], allowIn, identifiersOnly = false, use }) => {
  const whole = `(?<![\\w/.\`-])(?:${words.join('|')})(?![\\w/\`(-])`
  const prose = [...sentences, ...(identifiersOnly || words.length === 0 ? [] : [new RegExp(whole, 'i')])]
  return {
    use,
    words: new Set(words),
    allow,
    allowInProse: allow.filter(({ source }) => !/^\^.*\$$/.test(source)), // `^…$` describes an identifier
    allowIn,
    prose: prose.map(({ source, flags }) => new RegExp(source, `${flags}g`)),
  }
})
const WORDS = new Set(GLOSSARY.flatMap(({ words }) => words))
const ANY_PROSE = new RegExp(ENTRIES.flatMap(({ prose }) => prose.map(({ source }) => source)).join('|'), 'i')

/** The parts of each identifier that are words of the glossary: most identifiers occur many times. */
const wordsByIdentifier = new Map()

function wordsIn(identifier) {
  const known = wordsByIdentifier.get(identifier)
  if (known !== undefined) return known
  const words = partsOf(identifier).filter((part) => WORDS.has(part))
  wordsByIdentifier.set(identifier, words)
  return words
}

function* findingsInIdentifier({ text }, entries) {
  for (const part of wordsIn(text)) {
    for (const { words, allow, use } of entries)
      if (words.has(part) && !allows(allow, text)) yield { word: part, at: 0, text, use }
  }
}

function* findingsInProse({ text }, entries) {
  if (!ANY_PROSE.test(text)) return
  for (const { prose, allowInProse, use } of entries)
    for (const pattern of prose)
      for (const { 0: word, index } of text.matchAll(pattern)) {
        const context = text.slice(Math.max(0, index - 24), index + word.length + 24)
        if (!allows(allowInProse, context)) yield { word, at: index, text: context.replace(/\s+/g, ' '), use }
      }
}

const findingsOf = (token, entries) => [
  ...(token.kind === 'identifier' ? findingsInIdentifier(token, entries) : findingsInProse(token, entries)),
]

/** The parts of a path as identifiers: `src/streams/utxo-set.ts` is src, streams, utxo-set. */
const tokensOfPath = (path) =>
  path.split('/').map((part) => ({ text: part.split('.', 1)[0], start: 0, kind: 'identifier' }))

/** Every finding in a file: `{ line, word, use, text }`; line 0 is the path itself. */
export function vocabularyFindings(path, text) {
  const lineOf = (offset) => text.slice(0, offset).split('\n').length
  const entries = ENTRIES.filter(({ allowIn }) => !inPath(path, allowIn))
  const inName = tokensOfPath(path).flatMap((token) =>
    findingsOf(token, entries).map(({ word, use }) => ({ line: 0, word, use, text: path })),
  )
  const inText = tokensOfFile(path, text).flatMap((token) =>
    findingsOf(token, entries).map(({ at, ...finding }) => ({ ...finding, line: lineOf(token.start + at) })),
  )
  return [...inName, ...inText]
}

/** Paths that are checked, those of fixtures and generated files left out; all of them, or those below `places`. */
export function checkedFiles(places = []) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...CHECKED], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return listed
    .split('\n')
    .filter((path) => path !== '' && !SKIPPED.test(path) && existsSync(resolve(ROOT, path)))
    .filter((path) => places.length === 0 || inPath(path, places))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let count = 0
  for (const path of checkedFiles(process.argv.slice(2))) {
    for (const { line, word, use, text } of vocabularyFindings(path, readFileSync(resolve(ROOT, path), 'utf8'))) {
      console.log(`${path}:${line}: "${word}" in: ${text.trim().slice(0, 110)} → ${use}`)
      count++
    }
  }
  console.log(`${count} findings`)
  process.exitCode = count > 0 ? 1 : 0
}
