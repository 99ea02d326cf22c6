import { createSentIds, type SentIds } from '../../model/sent-ids.js'

/** The transactions that an engine has sent, to nodes by every path and to indexers. */
export const sentIds = (): SentIds => createSentIds()
