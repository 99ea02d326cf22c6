const { node, key, from, to } = Object.fromEntries(new URLSearchParams(location.search))
const show = (text) => (document.querySelector('#status').textContent = text)

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
worker.onmessage = ({ data }) => show(data)
worker.onerror = ({ message }) => show(message)
worker.postMessage([node, key, from, to])
