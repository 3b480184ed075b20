// The one list of commands. The build script makes a permission of each, `commands.rs` the handler and the bindings;
// a test compares both with `capabilities/`. It is included as text by the build script: keep it a single macro.
macro_rules! with_commands {
    ($then:ident) => {
        $then![
            alias::alias_list,
            app::app_state,
            app::settings_save,
            chart::chart_save,
            connection::connection_check,
            connection::connection_delete,
            connection::connection_export,
            connection::connection_import,
            connection::connection_open,
            connection::connection_save,
            connection::demo_open,
            connection::profile_list,
            fleet::fleet_events,
            fleet::fleet_get,
            fleet::fleet_instances,
            fleet::fleet_list,
            fleet::fleet_scaling,
            goto::goto,
            health::focus_set,
            health::health_get,
            health::retry_now,
            overview::overview_get,
            placement::placement_list,
            player::player_search,
            queue::queue_list,
            series::series_read,
            session::query_check,
            session::session_get,
            session::session_list
        ]
    };
}
