export { LoadingDetail as default } from '#components/shell/loading-detail.tsx';
