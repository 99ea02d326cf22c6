import type { Devnode } from '../devnode.js'
import type { Route } from './route.js'

/** What is, and what a perfect client would know. */
export const truthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/status',
    about: 'Network, URLs, scores, connections with their subscriptions, open sockets.',
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
    path: '/truth/balances',
    about: 'What each `address` of the query has: mature, ripening, incoming, in sompi.',
    run: ({ devnode, query }) => ({ balances: devnode.truth.balances(query.getAll('address')) }),
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
  {
    method: 'GET',
    path: '/truth/blocks',
    about: 'All blocks in the order of arrival, genesis first.',
    run: ({ devnode }) => ({ blocks: devnode.truth.blocks() }),
  },
  {
    method: 'GET',
    path: '/truth/events',
    about: 'How many notifications of each type there were.',
    run: ({ devnode }) => ({ events: devnode.truth.events() }),
  },
]

const toStatus = (devnode: Devnode) => ({
  network: devnode.network,
  urls: devnode.urls,
  blockInterval: devnode.blockInterval,
  virtualDaaScore: devnode.truth.virtualDaaScore(),
  mempoolSize: devnode.truth.mempool().length,
  connections: devnode.connections(),
  sockets: devnode.sockets(),
})
