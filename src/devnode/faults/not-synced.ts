import type { FaultKind } from './fault.js'

/** The node says that it has not caught up with its network, and takes no blocks of miners meanwhile. */
export const notSynced: FaultKind<Record<string, never>> = {
  about: 'Claims to be out of sync.',
  settings: {},
  create: (_, scene) => ({
    falsified: {
      getServerInfo(info) {
        scene.struck()
        return { ...info, isSynced: false }
      },
      getInfo: (info) => ({ ...info, isSynced: false }),
      getSyncStatus: () => ({ isSynced: false }),
      getBlockTemplate: (template) => ({ ...template, isSynced: false }),
    },
    instead: {
      submitBlock: () => ({ report: { type: 'reject', reason: 'isInIBD' } }),
    },
  }),
}
