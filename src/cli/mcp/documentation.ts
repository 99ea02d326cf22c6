import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A part of a page below one heading. */
export interface Section {
  /** The page and the heading's number on it. */
  readonly id: string
  readonly page: string
  /** The page's first heading. */
  readonly title: string
  readonly heading: string
  /** Markdown. */
  readonly text: string
}

/** The documentation of the installed version, read once. */
export interface Documentation {
  readonly version: string
  /** The Markdown of each page by its name, such as `composables/useUtxo`. */
  readonly pages: ReadonlyMap<string, string>
  readonly sections: readonly Section[]
}

/** Folders and pages of the repository that no package has. */
const NOT_SHIPPED = /^(\.|node_modules|public|api)|^(index|changelog|security|contributing)\.md$/

/** Reads every page of the installed package; no tool opens a file after this. */
export function readDocumentation(): Documentation {
  const manifest = createRequire(import.meta.url).resolve('vue-chain/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  const pages = new Map(pagesBelow(join(dirname(manifest), 'docs')))
  return { version, pages, sections: [...pages].flatMap(([page, text]) => sectionsOf(page, text)) }
}

/** Regular files only: a symbolic link could lead out of the folder. */
function pagesBelow(folder: string, path = ''): [page: string, text: string][] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true }).filter(({ name }) => !NOT_SHIPPED.test(name))
  return entries.flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return pagesBelow(folder, below)
    if (!entry.isFile() || !below.endsWith('.md')) return []
    return [[below.slice(0, -'.md'.length), readFileSync(join(folder, below), 'utf8')]]
  })
}

/** Without an anchor of its own: `{#refund}`. */
const HEADING = /^#{1,4} (.+?)(?: \{#[\w-]+\})?$/

/** Divides a page at its headings, which code blocks do not have. */
export function sectionsOf(page: string, text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, heading] = isCode ? [] : (HEADING.exec(line) ?? [])
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  const title = sections[0]?.heading ?? page
  return sections.map(({ heading, lines }, number) => ({
    id: `${page}#${number}`,
    page,
    title,
    heading,
    text: lines.join('\n').trim(),
  }))
}
