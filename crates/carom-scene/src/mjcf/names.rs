//! The names of MJCF: every element, by its path, with its attributes.
//!
//! Facts of the format, as MuJoCo 4.0 prints them (`mj_printSchema`), with a few of earlier versions.
//! Elements inside `<worldbody>`, `<body>` and `<frame>` have the path `body/…`. What is not here is
//! misspelt.

/// Paths and attributes.
pub(crate) const NAMES: &[(&str, &str)] = &[
    ("actuator", ""),
    (
        "actuator/adhesion",
        "body class ctrlrange delay forcelimited forcerange gain group interp name nsample \
         user",
    ),
    (
        "actuator/cylinder",
        "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay \
         diameter forcelimited forcerange gear group interp joint jointinparent lengthrange \
         name nsample refsite site slidersite tendon timeconst user",
    ),
    (
        "actuator/damper",
        "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange \
         gear group interp joint jointinparent kv lengthrange name nsample refsite site \
         slidersite tendon user",
    ),
    (
        "actuator/dcmotor",
        "armature class cogging controller cranklength cranksite ctrllimited ctrlrange \
         damping delay gear group inductance input interp joint jointinparent lengthrange \
         lugre motorconst name nominal nsample refsite resistance saturation site slidersite \
         tendon thermal user",
    ),
    (
        "actuator/general",
        "actdim actearly actlimited actrange armature biasprm biastype body class cranklength \
         cranksite ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited \
         forcerange gainprm gaintype gear group inheritrange input interp joint jointinparent \
         lengthrange name nsample refsite site slidersite tendon user velrange",
    ),
    (
        "actuator/intvelocity",
        "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange \
         damping dampratio delay forcelimited forcerange gear group inheritrange interp joint \
         jointinparent kp kv lengthrange name nsample refsite site slidersite tendon user",
    ),
    (
        "actuator/motor",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay \
         forcelimited forcerange gear group interp joint jointinparent lengthrange name \
         nsample refsite site slidersite tendon user",
    ),
    (
        "actuator/muscle",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay force \
         forcelimited forcerange fpmax fvmax gear group interp joint jointinparent \
         lengthrange lmax lmin name nsample range scale slidersite tausmooth tendon timeconst \
         user vmax",
    ),
    (
        "actuator/orientation",
        "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp \
         kv name nsample refsite site user",
    ),
    (
        "actuator/pid",
        "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay \
         ffrange forcelimited forcerange gear group imax inheritrange input interp joint \
         jointinparent ki kp kv lengthrange name nsample posrange refsite site slewmax \
         slidersite tendon user velrange",
    ),
    (
        "actuator/plugin",
        "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited \
         ctrlrange damping delay dynprm dyntype forcelimited forcerange gear group instance \
         interp joint jointinparent lengthrange name nsample plugin site slidersite tendon \
         user",
    ),
    ("actuator/plugin/config", "key value"),
    (
        "actuator/position",
        "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay \
         forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv \
         lengthrange name nsample refsite site slidersite tendon timeconst user",
    ),
    (
        "actuator/velocity",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay \
         forcelimited forcerange gear group interp joint jointinparent kv lengthrange name \
         nsample refsite site slidersite tendon user",
    ),
    ("asset", ""),
    ("asset/hfield", "content_type elevation file name ncol nrow size"),
    (
        "asset/material",
        "class emission metallic name reflectance rgba roughness shininess specular texrepeat \
         texture texuniform",
    ),
    ("asset/material/layer", "role texture"),
    (
        "asset/mesh",
        "builtin class content_type face file inertia material maxhullvert name normal params \
         refpos refquat scale smoothnormal texcoord vertex",
    ),
    ("asset/mesh/plugin", "instance plugin"),
    ("asset/mesh/plugin/config", "key value"),
    ("asset/model", "content_type file name"),
    ("asset/skin", "face file group inflate material name rgba texcoord vertex"),
    ("asset/skin/bone", "bindpos bindquat body vertid vertweight"),
    (
        "asset/texture",
        "builtin class colorspace content_type embed file fileback filedown filefront \
         fileleft fileright fileup gridlayout gridsize height hflip mark markrgb name \
         nchannel random rgb1 rgb2 type vflip width",
    ),
    (
        "body",
        "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user \
         xyaxes zaxis",
    ),
    ("body/attach", "body frame model prefix"),
    (
        "body/camera",
        "axisangle class euler focal focalpixel fovy ipd mode name output pos principal \
         principalpixel projection quat resolution sensorsize target user xyaxes zaxis",
    ),
    ("body/composite", "count curve initial offset prefix quat size type vertex"),
    (
        "body/flexcomp",
        "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass \
         material mesh name origin point pos quat radius rgba rigid scale spacing texcoord \
         type xyaxes zaxis",
    ),
    (
        "body/flexcomp/contact",
        "activelayers conaffinity condim contype friction gap margin passive priority \
         selfcollide solimp solmix solref",
    ),
    ("body/flexcomp/edge", "damping equality solimp solref stiffness"),
    (
        "body/flexcomp/elasticity",
        "damping elastic2d poisson section sectionsize shear thickness yield young",
    ),
    ("body/flexcomp/pin", "grid gridrange id range"),
    ("body/flexcomp/plugin", "instance plugin"),
    ("body/flexcomp/plugin/config", "key value"),
    ("body/frame", "axisangle childclass euler name pos quat xyaxes zaxis"),
    ("body/freejoint", "align group name"),
    (
        "body/geom",
        "adhesion axisangle castshadow class conaffinity condim contype density euler \
         fitscale fluidcoef fluidshape friction fromto gap group hfield margin mass material \
         mesh name pos priority quat rgba shellinertia size solimp solmix solref surfacevel \
         type user xyaxes zaxis",
    ),
    ("body/geom/plugin", "instance plugin"),
    ("body/geom/plugin/config", "key value"),
    ("body/inertial", "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"),
    (
        "body/joint",
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping \
         frictionloss group limited margin name pos range ref solimpfriction solimplimit \
         solreffriction solreflimit springdamper springref springyield stiffness type user",
    ),
    (
        "body/light",
        "active ambient attenuation bulbradius castshadow class cutoff diffuse dir \
         directional exponent intensity mode name pos range softness specular target texture \
         type",
    ),
    ("body/plugin", "instance plugin"),
    ("body/plugin/config", "key value"),
    ("body/replicate", "childclass count euler offset sep"),
    (
        "body/site",
        "axisangle class euler fromto group material mesh name pos quat rgba size type user \
         xyaxes zaxis",
    ),
    (
        "compiler",
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict \
         convexhull coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic \
         inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled \
         saveinertial settotalmass strippath texturedir usethread",
    ),
    (
        "compiler/lengthrange",
        "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting \
         uselimit",
    ),
    ("contact", ""),
    ("contact/exclude", "body1 body2 name"),
    (
        "contact/pair",
        "adhesion class condim friction gap geom1 geom2 margin name solimp solref \
         solreffriction",
    ),
    ("custom", ""),
    ("custom/numeric", "data name size"),
    ("custom/text", "data name"),
    ("custom/tuple", "name"),
    ("custom/tuple/element", "objname objtype prm"),
    ("default", "class"),
    ("default/adhesion", "ctrlrange delay forcelimited forcerange gain group interp nsample user"),
    (
        "default/camera",
        "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel \
         projection quat resolution sensorsize user xyaxes zaxis",
    ),
    (
        "default/cylinder",
        "area armature bias cranklength ctrllimited ctrlrange damping delay diameter \
         forcelimited forcerange gear group interp nsample timeconst user",
    ),
    (
        "default/damper",
        "armature cranklength ctrlrange damping delay forcelimited forcerange gear group \
         interp kv nsample user",
    ),
    (
        "default/dcmotor",
        "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear \
         group inductance input interp lugre motorconst nominal nsample resistance saturation \
         thermal user",
    ),
    ("default/equality", "active solimp solref"),
    (
        "default/general",
        "actdim actearly actlimited actrange armature biasprm biastype cranklength \
         ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange \
         gainprm gaintype gear group inheritrange input interp nsample user velrange",
    ),
    (
        "default/geom",
        "adhesion axisangle castshadow conaffinity condim contype density euler fitscale \
         fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh pos \
         priority quat rgba shellinertia size solimp solmix solref surfacevel type user \
         xyaxes zaxis",
    ),
    (
        "default/intvelocity",
        "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio \
         delay forcelimited forcerange gear group inheritrange interp kp kv nsample user",
    ),
    (
        "default/joint",
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping \
         frictionloss group limited margin pos range ref solimpfriction solimplimit \
         solreffriction solreflimit springdamper springref springyield stiffness type user",
    ),
    (
        "default/light",
        "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional \
         exponent intensity mode pos range softness specular type",
    ),
    (
        "default/material",
        "emission metallic reflectance rgba roughness shininess specular texrepeat texture \
         texuniform",
    ),
    ("default/material/layer", "role texture"),
    ("default/mesh", "inertia maxhullvert scale"),
    (
        "default/motor",
        "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange \
         gear group interp nsample user",
    ),
    (
        "default/muscle",
        "armature cranklength ctrllimited ctrlrange damping delay force forcelimited \
         forcerange fpmax fvmax gear group interp lmax lmin nsample range scale timeconst \
         user vmax",
    ),
    (
        "default/orientation",
        "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample \
         user",
    ),
    ("default/pair", "adhesion condim friction gap margin solimp solref solreffriction"),
    (
        "default/pid",
        "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange \
         forcelimited forcerange gear group imax inheritrange input interp ki kp kv nsample \
         posrange slewmax user velrange",
    ),
    (
        "default/position",
        "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited \
         forcerange gear group inheritrange interp kp kv nsample timeconst user",
    ),
    (
        "default/site",
        "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis",
    ),
    (
        "default/tendon",
        "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited \
         margin material range rgba solimpfriction solimplimit solreffriction solreflimit \
         springlength springyield stiffness user width",
    ),
    (
        "default/texture",
        "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel \
         random rgb1 rgb2 type vflip width",
    ),
    (
        "default/velocity",
        "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange \
         gear group interp kv nsample user",
    ),
    ("deformable", ""),
    (
        "deformable/flex",
        "body cellcount dim dof element elemtexcoord flatskin group material name node \
         nodecoord radius rgba texcoord vertex",
    ),
    (
        "deformable/flex/contact",
        "activelayers conaffinity condim contype friction gap margin passive priority \
         selfcollide solimp solmix solref",
    ),
    ("deformable/flex/edge", "damping stiffness"),
    (
        "deformable/flex/elasticity",
        "damping elastic2d poisson section sectionsize shear thickness yield young",
    ),
    ("deformable/skin", "face file group inflate material name rgba texcoord vertex"),
    ("deformable/skin/bone", "bindpos bindquat body vertid vertweight"),
    ("equality", ""),
    ("equality/connect", "active anchor body1 body2 class name site1 site2 solimp solref"),
    ("equality/flex", "active class flex name solimp solref"),
    ("equality/flexstrain", "active cell class flex name solimp solref"),
    ("equality/joint", "active class joint1 joint2 name polycoef solimp solref"),
    ("equality/tendon", "active class name polycoef solimp solref tendon1 tendon2"),
    (
        "equality/weld",
        "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
    ),
    ("extension", ""),
    ("extension/plugin", "plugin"),
    ("extension/plugin/instance", "name"),
    ("extension/plugin/instance/config", "key value"),
    ("keyframe", ""),
    ("keyframe/key", "act ctrl mpos mquat name plastic qpos qvel time"),
    ("mujoco", "model"),
    (
        "option",
        "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density \
         gravity impratio integrator iterations jacobian ls_iterations ls_tolerance magnetic \
         mpr_iterations mpr_tolerance noslip_iterations noslip_tolerance o_friction o_margin \
         o_solimp o_solref sdf_initpoints sdf_iterations sleep_tolerance solver timestep \
         tolerance viscosity wind",
    ),
    (
        "option/flag",
        "actuation autoreset clampctrl constraint contact damper diagexact energy equality \
         eulerdamp filterparent frictionloss fwdinv gravity invdiscrete ipc island limit \
         midphase multiccd nativeccd override passive refsafe sensor sleep speculative spring \
         warmstart",
    ),
    ("sensor", ""),
    ("sensor/accelerometer", "cutoff delay interp interval name noise nsample site user"),
    ("sensor/actuatorfrc", "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/actuatorpos", "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/actuatorvel", "actuator cutoff delay interp interval name noise nsample user"),
    ("sensor/ballangvel", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/ballquat", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/camprojection", "camera cutoff delay interp interval name noise nsample site user"),
    ("sensor/clock", "cutoff delay interp interval name noise nsample user"),
    (
        "sensor/contact",
        "body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num \
         reduce site subtree1 subtree2 user",
    ),
    (
        "sensor/distance",
        "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user",
    ),
    ("sensor/e_kinetic", "cutoff delay interp interval name noise nsample user"),
    ("sensor/e_potential", "cutoff delay interp interval name noise nsample user"),
    ("sensor/force", "cutoff delay interp interval name noise nsample site user"),
    ("sensor/frameangacc", "cutoff delay interp interval name noise nsample objname objtype user"),
    (
        "sensor/frameangvel",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    ("sensor/framelinacc", "cutoff delay interp interval name noise nsample objname objtype user"),
    (
        "sensor/framelinvel",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framepos",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framequat",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framexaxis",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/frameyaxis",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/framezaxis",
        "cutoff delay interp interval name noise nsample objname objtype refname reftype user",
    ),
    (
        "sensor/fromto",
        "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user",
    ),
    ("sensor/gyro", "cutoff delay interp interval name noise nsample site user"),
    (
        "sensor/insidesite",
        "cutoff delay enclosed interp interval name noise nsample objname objtype site user",
    ),
    ("sensor/jointactuatorfrc", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitfrc", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitpos", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointlimitvel", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointpos", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/jointvel", "cutoff delay interp interval joint name noise nsample user"),
    ("sensor/magnetometer", "cutoff delay interp interval name noise nsample site user"),
    (
        "sensor/normal",
        "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user",
    ),
    ("sensor/plugin", "cutoff instance name objname objtype plugin refname reftype user"),
    ("sensor/plugin/config", "key value"),
    ("sensor/rangefinder", "camera cutoff data delay interp interval name noise nsample site user"),
    ("sensor/subtreeangmom", "body cutoff delay interp interval name noise nsample user"),
    ("sensor/subtreecom", "body cutoff delay interp interval name noise nsample user"),
    ("sensor/subtreelinvel", "body cutoff delay interp interval name noise nsample user"),
    ("sensor/tactile", "cutoff delay geom interp interval mesh name nsample user"),
    ("sensor/tendonactuatorfrc", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonlimitfrc", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonlimitpos", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonlimitvel", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonpos", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/tendonvel", "cutoff delay interp interval name noise nsample tendon user"),
    ("sensor/torque", "cutoff delay interp interval name noise nsample site user"),
    ("sensor/touch", "cutoff delay interp interval name noise nsample site user"),
    ("sensor/user", "cutoff datatype dim name needstage noise objname objtype user"),
    ("sensor/velocimeter", "cutoff delay interp interval name noise nsample site user"),
    (
        "size",
        "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom \
         nuser_jnt nuser_sensor nuser_site nuser_tendon nuserdata",
    ),
    ("statistic", "center extent meaninertia meanmass meansize"),
    ("tendon", ""),
    (
        "tendon/fixed",
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin name range solimpfriction solimplimit solreffriction solreflimit \
         springlength springyield stiffness user",
    ),
    ("tendon/fixed/joint", "coef joint"),
    (
        "tendon/spatial",
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin material name range rgba solimpfriction solimplimit solreffriction \
         solreflimit springlength springyield stiffness user width",
    ),
    ("tendon/spatial/geom", "geom sidesite"),
    ("tendon/spatial/pulley", "divisor"),
    ("tendon/spatial/site", "site"),
    ("visual", ""),
    (
        "visual/global",
        "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth \
         offheight offwidth orthographic realtime treedepth",
    ),
    ("visual/headlight", "active ambient diffuse specular"),
    (
        "visual/map",
        "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness \
         stiffnessrot torque zfar znear",
    ),
    ("visual/quality", "numquads numslices numstacks offsamples shadowsize"),
    (
        "visual/rgba",
        "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint \
         contactforce contactfriction contactgap contactpoint contacttorque crankbroken fog \
         force frustum haze inertia joint light rangefinder selectpoint slidercrank",
    ),
    (
        "visual/scale",
        "actuatorlength actuatorwidth camera com connect constraint contactheight \
         contactwidth forcewidth framelength framewidth frustum jointlength jointwidth light \
         selectpoint slidercrank",
    ),
    ("worldbody", "name"),
];
