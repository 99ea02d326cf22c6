/**
 * `npm run docs` serves the site in docs/ while its pages are edited; `npm run docs:build` writes it to .cache/site, as
 * static files for any server. `DOCS_BASE=/vue-chain/` builds it for a path below the host, `DOCS_ORIGIN=https://…`
 * names the host in links to the image that other sites show. The packages of the site are those of docs/.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toApiIndex } from './api-index.mjs'
import { buildIfStale } from './build-if-stale.mjs'
import { installPackages } from './install-packages.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs')

/** Pages that are files of the repository, with links that hold in docs/. */
const COPIED = { 'CHANGELOG.md': 'changelog.md', 'SECURITY.md': 'security.md', 'CONTRIBUTING.md': 'contributing.md' }

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function copyPages() {
  for (const [source, target] of Object.entries(COPIED)) {
    const text = readFileSync(join(ROOT, source), 'utf8')
    writeFileSync(join(DOCS, target), toDocsLinks(text))
  }
}

/** Links to docs/ lose the folder, links to copied pages get their names, links to other files become text. */
const toDocsLinks = (text) =>
  text.replace(/\[([^[\]]+)\]\((?!https?:|#)([^)]+)\)/g, (link, label, path) => {
    const [file, anchor] = path.split('#')
    const page = file.startsWith('docs/') ? file.slice('docs/'.length) : COPIED[file]
    return page === undefined ? label : `[${label}](./${page}${anchor === undefined ? '' : `#${anchor}`})`
  })

installPackages(DOCS)
await buildIfStale(ROOT, { page: false })
copyPages()
run(process.execPath, [join(DOCS, 'node_modules/typedoc/bin/typedoc'), '--options', '.vitepress/typedoc.json'], DOCS)
const reference = join(DOCS, 'api')
const hasReference = (folder) => existsSync(join(reference, folder, 'index.md'))
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
writeFileSync(join(reference, 'index.md'), toApiIndex(readme, hasReference))
run(process.execPath, [join(DOCS, 'node_modules/vitepress/bin/vitepress.js'), ...process.argv.slice(2)], DOCS)
