import { CHANNEL } from './messages.js'

/** The page of the tab. Its values are set as text, never as HTML. */
export const PAGE = `<!doctype html>
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
