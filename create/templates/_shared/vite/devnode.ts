import type { Plugin } from 'vite'
import { createDevnode, type Devnode } from 'vue-chain/devnode'

/**
 * Starts a local Kaspa network with `npm run dev`, and ends it with the server. The page finds it as the constant
 * `__DEVNODE__`, which is null in a build and in tests.
 */
export function devnode(): Plugin {
  let running: Devnode | undefined
  return {
    name: 'devnode',
    async config(_config, { command, mode }) {
      if (command !== 'serve' || mode !== 'development') return { define: { __DEVNODE__: 'null' } }
      running = await createDevnode()
      const { engineOptions: options, accounts } = running
      const [account, recipient] = accounts
      return { define: { __DEVNODE__: JSON.stringify({ options, account, recipient: recipient?.address }) } }
    },
    closeBundle: () => running?.close(),
  }
}
