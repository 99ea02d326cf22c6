import type { FaultKind } from './fault.js'

/** The node reports that it is not synced, and rejects submitted blocks. */
export const notSynced: FaultKind<Record<string, never>> = {
  about: 'Reports that the node is not synced.',
  settings: {},
  create: (_, context) => ({
    transforms: {
      getServerInfo(info) {
        context.triggered()
        return { ...info, isSynced: false }
      },
      getInfo: (info) => ({ ...info, isSynced: false }),
      getSyncStatus: () => ({ isSynced: false }),
      getBlockTemplate: (template) => ({ ...template, isSynced: false }),
    },
    stubs: {
      submitBlock: () => ({ report: { type: 'reject', reason: 'isInIBD' } }),
    },
  }),
}
