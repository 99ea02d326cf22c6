import type { Devnode } from '../devnode.js'
import type { Route } from './route.js'

/** What is, and what a perfect client would know. */
export const truthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/status',
    about: 'Network, URLs, scores, connections.',
    run: ({ devnode }) => toStatus(devnode),
  },
  {
    method: 'GET',
    path: '/accounts',
    about: 'The funded accounts, keys included.',
    run: ({ devnode }) => ({ accounts: devnode.accounts }),
  },
  {
    method: 'GET',
    path: '/truth/utxos',
    about: 'The UTXO set: of each `address` of the query, or whole.',
    run: ({ devnode, query }) => ({
      utxos: devnode.truth.utxos(query.has('address') ? query.getAll('address') : undefined),
    }),
  },
  {
    method: 'GET',
    path: '/truth/accepted',
    about: 'What each chain block accepted, genesis first.',
    run: ({ devnode }) => ({ accepted: devnode.truth.accepted() }),
  },
  {
    method: 'GET',
    path: '/truth/mempool',
    about: 'Ids in the mempool.',
    run: ({ devnode }) => ({ mempool: devnode.truth.mempool() }),
  },
  {
    method: 'GET',
    path: '/truth/chain',
    about: 'The chain blocks, genesis first.',
    run: ({ devnode }) => ({ chain: devnode.truth.chain() }),
  },
]

const toStatus = (devnode: Devnode) => ({
  network: devnode.network,
  urls: devnode.urls,
  blockInterval: devnode.blockInterval,
  virtualDaaScore: devnode.truth.virtualDaaScore(),
  mempoolSize: devnode.truth.mempool().length,
  connections: devnode.connections(),
})
