import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A Vite plugin that adds a meta element named `devnode` to the demo's page, with the devnode's ports and accounts, so
 * that the page can connect without a request. Works in dev and preview.
 *
 * @param {() => DevnodeOrPromise} devnode the network
 * @typedef {import('vue-chain/devnode').Devnode | Promise<import('vue-chain/devnode').Devnode>} DevnodeOrPromise
 * @returns {import('vite').Plugin}
 */
export function demoPage(devnode) {
  const withNetwork = async (html) => html.replace('<head>', `<head>\n    ${toMeta(await devnode())}`)
  return {
    name: 'demo-page',
    transformIndexHtml: { order: 'pre', handler: (html, { server }) => (server ? withNetwork(html) : html) },
    configurePreviewServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        if (new URL(request.url ?? '/', 'http://page').pathname !== '/') return next()
        readFile(join(config.root, config.build.outDir, 'index.html'), 'utf8')
          .then(withNetwork)
          .then((html) => {
            response.setHeader('content-type', 'text/html; charset=utf-8')
            response.end(html)
          }, next)
      })
    },
  }
}

function toMeta({ urls, accounts }) {
  const port = (url) => Number(new URL(url).port)
  const page = {
    ports: { borsh: port(urls.borsh), json: port(urls.json), rest: port(urls.rest), control: port(urls.control) },
    accounts: accounts.map(({ index, address, privateKeyHex }) => ({ index, address, privateKeyHex })),
  }
  return `<meta name="devnode" content="${JSON.stringify(page).replaceAll('"', '&quot;')}" />`
}
