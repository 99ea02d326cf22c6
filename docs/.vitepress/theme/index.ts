import { useRoute, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { onMounted, watch } from 'vue'
import LiveExample from './live/LiveExample.vue'
import './live/live.css'
import './playground/playground.css'
import './style.css'

/** The theme gives its start page and pages without a sidebar no main landmark. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main') === null) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('LiveExample', LiveExample),
  setup() {
    const route = useRoute()
    onMounted(markMain)
    watch(() => route.path, markMain, { flush: 'post' })
  },
} satisfies Theme
