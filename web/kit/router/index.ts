export { isPlainClick, Link, type LinkProps, Navigate, NavLink } from './Link.tsx'
export {
  BrowserRouter,
  StaticRouter,
  useLeaveGuard,
  useLocation,
  useNavigate,
  useSearchParams,
} from './location.tsx'
export { loadScreens, Outlet, onDemand, type Route, Routes } from './routes.tsx'
