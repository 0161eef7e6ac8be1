export { LoadingDetail as default } from '#components/shell/loading-screens.tsx';
