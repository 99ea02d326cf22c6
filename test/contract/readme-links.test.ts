import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] }
/** npm packs these whatever `files` lists. */
const ALWAYS_PACKED = ['README.md', 'LICENSE', 'package.json']

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '')

/** GitHub's anchor of a heading: lower case, punctuation removed, spaces as hyphens. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))

const isPacked = (path: string): boolean =>
  ALWAYS_PACKED.includes(path) || files.some((entry) => path === entry || path.startsWith(`${entry}/`))

/** The problem of a relative link; undefined if it resolves to a packed file and, if given, an anchor in it. */
function problemOf(page: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#')
  const file = target === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), target)
  const path = relative(ROOT, file)
  if (!existsSync(file) || !statSync(file).isFile()) return `${page}: ${link} is not a file`
  if (!isPacked(path)) return `${page}: ${link} is not packed by package.json "files"`
  if (anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor)) return undefined
  return `${page}: ${link} has no such heading`
}

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        path.endsWith('.md') && !/^(node_modules|api)\/|^(index|changelog|contributing|security)\.md$/.test(path),
    ) // the site checks its own
    .map((path) => `docs/${path}`),
]

it.each(pages)('%s links only to files and headings of the package', (page) => {
  const markdown = withoutCode(readFileSync(join(ROOT, page), 'utf8'))
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const problems = links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => problemOf(page, link))
  expect(problems.filter((problem) => problem !== undefined)).toEqual([])
})

it('computes anchors like GitHub', () => {
  expect(toAnchor('Replace-by-fee (RBF): speed up')).toBe('replace-by-fee-rbf-speed-up')
  expect(toAnchor('After `unknown-outcome`')).toBe('after-unknown-outcome')
})
