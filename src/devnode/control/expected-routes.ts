import type { DevnodeBase } from '../devnode.js'
import type { Route } from './route.js'

/** The state of the devnode, and the state that clients are expected to have. */
export const expectedRoutes: readonly Route[] = [
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
    path: '/explain/:name',
    about:
      'Where the script of a refused transaction failed: script, position, opcode, stack, units; null for any other.',
    run: ({ devnode, name }) => ({ refused: devnode.explain(name) ?? null }),
  },
  {
    method: 'GET',
    path: '/expected/utxos',
    about: 'The UTXO set of each `address` of the query; without one, the whole set.',
    run: ({ devnode, query }) => ({
      utxos: devnode.expected.utxos(query.has('address') ? query.getAll('address') : undefined),
    }),
  },
  {
    method: 'GET',
    path: '/expected/balances',
    about: 'The balances of each `address` of the query: mature, immature, incoming, in sompi.',
    run: ({ devnode, query }) => ({ balances: devnode.expected.balances(query.getAll('address')) }),
  },
  {
    method: 'GET',
    path: '/expected/accepted',
    about: 'What each chain block accepted, genesis first.',
    run: ({ devnode }) => ({ accepted: devnode.expected.accepted() }),
  },
  {
    method: 'GET',
    path: '/expected/mempool',
    about: 'The ids in the mempool.',
    run: ({ devnode }) => ({ mempool: devnode.expected.mempool() }),
  },
  {
    method: 'GET',
    path: '/expected/chain',
    about: 'The chain blocks, genesis first.',
    run: ({ devnode }) => ({ chain: devnode.expected.chain() }),
  },
  {
    method: 'GET',
    path: '/expected/blocks',
    about: 'All blocks in the order of arrival, genesis first.',
    run: ({ devnode }) => ({ blocks: devnode.expected.blocks() }),
  },
  {
    method: 'GET',
    path: '/expected/events',
    about: 'The number of notifications of each type.',
    run: ({ devnode }) => ({ events: devnode.expected.events() }),
  },
]

const toStatus = (devnode: DevnodeBase) => ({
  network: devnode.network,
  urls: devnode.urls,
  blockInterval: devnode.blockInterval,
  virtualDaaScore: devnode.expected.virtualDaaScore(),
  mempoolSize: devnode.expected.mempool().length,
  connections: devnode.connections(),
  sockets: devnode.sockets(),
})
