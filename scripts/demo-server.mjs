import { resolve } from 'node:path'
import { preview } from 'vite'
import { startNetwork } from './demo-network.mjs'
import { demoPage } from './demo-page.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const LOOPBACK = '127.0.0.1'

/** The demo in this process: its network, and a server of the built page. */
export async function startDemo(createDevnode, { host = LOOPBACK, port = 0, strictPort, ...options } = {}) {
  let network
  const page = await preview({
    configFile: false,
    root: `${ROOT}/demo`,
    logLevel: 'silent',
    plugins: [demoPage(() => network.then(({ devnode }) => devnode))],
    preview: { host, port, strictPort },
  })
  // after the page's port was free: its history takes seconds
  network = startNetwork(createDevnode, { host, ...options })
  try {
    const { devnode, stop } = await network
    return { devnode, url: addressOf(page), stop: () => Promise.all([page.close(), stop()]) }
  } catch (error) {
    await page.close()
    throw error
  }
}

/** The page's URL: the network address if it listens beyond loopback. */
function addressOf({ resolvedUrls, httpServer }) {
  return resolvedUrls?.network[0] ?? resolvedUrls?.local[0] ?? `http://${LOOPBACK}:${httpServer.address().port}/`
}
