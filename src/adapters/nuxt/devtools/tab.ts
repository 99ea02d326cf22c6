import type { Diagnosis, FlightRecord } from 'vue-chain'
import type { ServerResponse } from 'node:http'
import type { Nuxt } from '@nuxt/schema'

/**
 * The BroadcastChannel between the pages of an app in development and the DevTools tab, a frame or window of the same
 * origin.
 */
export const CHANNEL = 'vue-chain:devtools'

/** What the tab wants from the app. */
export type TabRequest = 'records' | 'recording' | 'diagnosis'

/** What the app responds. */
export type TabResponse =
  | { readonly type: 'records'; readonly records: readonly FlightRecord[] }
  /** JSON of `recorder.export()`; null without a recorder. */
  | { readonly type: 'recording'; readonly recording: string | null }
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'failure'; readonly message: string }

/**
 * What only the types of Nuxt DevTools and of Nuxt's Vite builder name; they come with packages that this library does
 * not need.
 */
interface DevelopmentHooks {
  (name: 'devtools:customTabs', run: (tabs: Tab[]) => void): void
  (name: 'vite:serverCreated', run: (server: ViteServer, environment: { readonly isClient?: boolean }) => void): void
}

/** A tab of Nuxt DevTools. */
interface Tab {
  readonly name: string
  readonly title: string
  readonly icon: string
  readonly view: { readonly type: 'iframe'; readonly src: string }
}

interface ViteServer {
  readonly middlewares: { use(route: string, handle: (request: unknown, response: ServerResponse) => void): void }
}

/** Adds a tab to Nuxt DevTools, and serves its page. In development only; needs Nuxt's builder Vite. */
export function addDevtoolsTab({ options, hook }: Nuxt): void {
  const route = `${options.app.baseURL}__vue-chain__`
  const on = hook as unknown as DevelopmentHooks // see DevelopmentHooks
  on('devtools:customTabs', (tabs) => {
    tabs.push({
      name: 'vue-chain',
      title: 'vue-chain',
      icon: 'carbon:block-storage',
      view: { type: 'iframe', src: `${route}/` },
    })
  })
  on('vite:serverCreated', ({ middlewares }, { isClient = true }) => {
    if (!isClient) return
    middlewares.use(route, (_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(PAGE)
    })
  })
}

/** The page of the tab. Its values are set as text, never as HTML. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>vue-chain</title>
<link rel="icon" href="data:," />
<style>
  :root { color-scheme: light dark }
  body { font: 13px/1.5 system-ui, sans-serif; margin: 1rem }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1.5rem }
  td { border-top: 1px solid color-mix(in srgb, currentcolor 20%, transparent); padding: 0.2rem 0.5rem; vertical-align: top }
  td:last-child { overflow-wrap: anywhere }
</style>
<h1>vue-chain</h1>
<p id="state" role="status">No page of the app is connected: open one.</p>
<h2>Diagnosis</h2>
<button id="diagnose">Run</button>
<table id="diagnosis"></table>
<h2>Flight recorder</h2>
<button id="export">Download the recording</button>
<table id="records"></table>
<script type="module">
  const channel = new BroadcastChannel(${JSON.stringify(CHANNEL)})
  const find = (id) => document.getElementById(id)
  const show = (text) => { find('state').textContent = text }
  const toText = (value) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))

  function fill(table, rows) {
    find(table).replaceChildren(...rows.map((cells) => {
      const row = document.createElement('tr')
      for (const cell of cells) row.insertCell().textContent = cell
      return row
    }))
  }

  function download(recording) {
    if (recording === null) return show('The app has no recorder: its option is false.')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([recording], { type: 'application/json' }))
    link.download = 'vue-chain-recording.json'
    link.click()
    URL.revokeObjectURL(link.href)
  }

  const responses = {
    records({ records }) {
      show('Connected to a page of the app.')
      fill('records', records.toReversed().map(({ at, type, ...fields }) => [new Date(at).toLocaleTimeString(), type, toText(fields)]))
    },
    recording: ({ recording }) => download(recording),
    diagnosis: ({ diagnosis }) =>
      fill('diagnosis', diagnosis.checks.map(({ id, status, summary, detail, remedy }) => [id, status, [summary, detail, remedy].filter(Boolean).join(' ')])),
    failure: ({ message }) => show(message),
  }
  channel.onmessage = ({ data }) => responses[data.type]?.(data)
  find('diagnose').onclick = () => { fill('diagnosis', [['', 'runs', '']]); channel.postMessage('diagnosis') }
  find('export').onclick = () => channel.postMessage('recording')
  setInterval(() => channel.postMessage('records'), 1000)
  channel.postMessage('records')
</script>
</html>
`
