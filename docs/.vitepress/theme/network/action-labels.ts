/**
 * What a reader can do to a network in the page: names and labels. Apart from the actions, which are loaded with the
 * network.
 */
export const ACTION_LABELS = {
  mine: 'Mine a block',
  parallel: 'Mine 3 parallel blocks',
  receive: 'Receive 5 KAS',
  send: 'Send 1 KAS',
  drop: 'Drop the connection',
  freeze: 'Freeze the node for 5 s',
  restart: 'Restart the node',
  reorg: 'Reorg of 3 blocks',
  undoCall: 'Reorg without the last call',
  notSynced: 'Report “not synced” for 10 s',
  failRest: 'Fail REST for 5 s',
  lockWallet: 'Lock or unlock the wallet',
  switchAccount: 'Select another account in the wallet',
} as const

export type ActionName = keyof typeof ACTION_LABELS
