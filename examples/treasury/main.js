// Passes the texts of payments on between cosigners. Holds no key: each page verifies a text before it shows it.
import { join } from 'node:path'
import { readPage } from './page.js'
import { serve } from './serve.js'
import { runUntilStopped } from './stop.js'
import { openStore } from './store.js'

const { PORT = '8082', DATA = 'texts.json', PAGE = join(import.meta.dirname, 'dist') } = process.env

/** Older texts are dropped: a cosigner who needs one gets it again from the other. */
const MAX_TEXTS = 20

const store = await openStore(DATA, { last: 0, texts: [] })

const routes = {
  'GET /texts': () => store.get().texts,
  'POST /texts': async ({ body: { text } }) => {
    if (typeof text !== 'string' || !/^PSKB[\da-f]+$/i.test(text)) throw new TypeError('A text begins with PSKB')
    await store.update((state) => addText(state, text))
    return { last: store.get().last }
  },
}

/** A text that is sent twice, because a reply was lost, is stored once. */
function addText({ last, texts }, text) {
  if (texts.some((known) => known.text === text)) return { last, texts }
  return { last: last + 1, texts: [...texts, { number: last + 1, text }].slice(-MAX_TEXTS) }
}

const files = await readPage(PAGE)
const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
const run = async ({ signal }) => {
  await serve({ port: Number(PORT), signal, routes, files })
  await untilAborted(signal)
}
await runUntilStopped(run, async () => undefined)
