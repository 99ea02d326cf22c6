import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { SITE } from './site.js'

const ORIGIN = 'http://site'

/** The built pages by path, with the ids in each. */
const idsOf = new Map<string, ReadonlySet<string>>()
const linksOf = new Map<string, readonly string[]>()

for (const file of readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))) {
  const html = readFileSync(join(SITE, file), 'utf8')
  const path = posix.join('/', file)
  idsOf.set(path, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)))
  linksOf.set(
    path,
    [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  )
}

/** Why an internal link of a page leads nowhere; undefined where it does not. */
function problemOf(page: string, link: string): string | undefined {
  const { origin, pathname, hash } = new URL(link, ORIGIN + page)
  if (origin !== ORIGIN) return undefined
  const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  if (!existsSync(join(SITE, decodeURIComponent(target)))) return `${page}: no page ${link}`
  const id = decodeURIComponent(hash.slice(1))
  const isProgram = target === '/playground.html' // its fragment names a program
  return id === '' || isProgram || idsOf.get(target)?.has(id) === true ? undefined : `${page}: no anchor ${link}`
}

it('has a page and an anchor for every internal link', () => {
  expect(idsOf.size).toBeGreaterThan(40)
  const problems = [...linksOf].flatMap(([page, links]) => links.map((link) => problemOf(page, link)))
  expect(problems.filter((problem) => problem !== undefined)).toEqual([])
})
