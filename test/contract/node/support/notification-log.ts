import type { NodeNotification } from '../../../../src/node/messages/records.js'
import type { TestClient } from './client.js'

/** The received notifications of a test client, and its waits for some. */
export function createNotificationLog() {
  const notifications: NodeNotification[] = []
  let waiters: readonly (() => void)[] = []
  const reads: Pick<TestClient, 'notifications' | 'waitFor'> = {
    notifications,
    waitFor: (type, matches = () => true, from = 0) =>
      new Promise((resolve) => {
        type Wanted = Extract<NodeNotification, { type: typeof type }>
        const isMatch = (one: NodeNotification): one is Wanted => one.type === type && matches(one as Wanted)
        const check = () => {
          const found = notifications.slice(from).find(isMatch)
          if (found === undefined) return
          waiters = waiters.filter((one) => one !== check)
          resolve(found)
        }
        waiters = [...waiters, check]
        check()
      }),
  }
  return {
    reads,
    add(notification: NodeNotification) {
      notifications.push(notification)
      for (const waiter of waiters) waiter()
    },
  }
}
