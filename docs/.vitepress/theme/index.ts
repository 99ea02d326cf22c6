import { useRoute, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h, onMounted, watch } from 'vue'
import FunctionFilter from './functions/FunctionFilter.vue'
import LiveExample from './live/LiveExample.vue'
import LiveNetwork from './live/LiveNetwork.vue'
import Logo from './Logo.vue'
import './live/live.css'
import './playground/playground.css'
import './start/start.css'
import './style.css'

/** The theme gives its start page and pages without a sidebar no main landmark. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main') === null) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-title-before': () => h(Logo) }),
  enhanceApp: ({ app }) =>
    void app
      .component('LiveExample', LiveExample)
      .component('LiveNetwork', LiveNetwork)
      .component('FunctionFilter', FunctionFilter),
  setup() {
    const route = useRoute()
    onMounted(markMain)
    watch(() => route.path, markMain, { flush: 'post' })
  },
} satisfies Theme
