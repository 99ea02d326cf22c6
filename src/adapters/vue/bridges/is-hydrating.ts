import { getCurrentInstance } from 'vue'

/** Whether the calling component is being set up on server-rendered markup: its first render must match that. */
export function isHydrating(): boolean {
  const instance = getCurrentInstance()
  return instance !== null && !instance.isMounted && instance.vnode.el !== null
}
