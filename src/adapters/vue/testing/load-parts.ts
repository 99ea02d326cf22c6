import { ready } from '../../../testing/ready.js'

/**
 * Loads what apps load on demand, so that later loads take no more than a task. Rejects where a part cannot be loaded.
 */
export async function loadParts(): Promise<void> {
  await Promise.all([
    ready(),
    import('../../../query/client.js'),
    import('../../../rest/operations.js'),
    import('../../../engine/open-rpc.js'),
    import('../../../engine/open-transactions.js'),
    import('../../../sdk/light/adapter.js'),
    import('../../../sdk/wasm/load.js'),
    import('../../../streams/wallet/create-session.js'),
    import('../../../wallets/page-wallets.js'),
  ])
}
