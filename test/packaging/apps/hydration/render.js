import { readFileSync, writeFileSync } from 'node:fs'
import { renderToString } from 'vue/server-renderer'
import { createPage } from './page.js'

/** Renders the page into the built HTML file, by a node that is never dialled. */
const html = await renderToString(createPage('ws://127.0.0.1:1'))
const [file] = process.argv.slice(2)
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace('<!-- page -->', () => html),
)
